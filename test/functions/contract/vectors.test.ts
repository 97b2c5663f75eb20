import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type * as z from "zod";
import {
  checkpointAnswer,
  checkpointIndex,
  manifest,
  mapAnswer,
  mapRequest,
  partName,
  problem,
  problemOfZod,
  reconcileAnswer,
  reconcileRequest,
  triggersAnswer,
  triggersRequest,
  wakeAnswer,
  wakeRequest,
} from "../../../functions/contract/index.ts";

/** Golden vectors hold for every implementation, in any language; later releases must still pass those of earlier ones. */
type Vectors = {
  message: string;
  valid: { name: string; value: unknown }[];
  invalid: { why: string; field: string; value: unknown }[];
};

const folder = new URL("../../vectors/v1/", import.meta.url);
const schemas: Record<string, z.ZodType> = {
  "checkpoint-answer": checkpointAnswer,
  "checkpoint-index": checkpointIndex,
  manifest,
  "map-answer": mapAnswer,
  "map-request": mapRequest,
  problem,
  "reconcile-answer": reconcileAnswer,
  "reconcile-request": reconcileRequest,
  "triggers-answer": triggersAnswer,
  "triggers-request": triggersRequest,
  "wake-answer": wakeAnswer,
  "wake-request": wakeRequest,
};

it("every message of the wire has its vectors, and every file of vectors is read", () => {
  const files = readdirSync(folder).map((file) => file.replace(/\.json$/, ""));
  expect(files.sort()).toEqual([...Object.keys(schemas), "checkpoint-names", "gateway", "signature"].sort());
});

describe.each(Object.entries(schemas))("%s", (name, schema) => {
  const { valid, invalid } = JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8")) as Vectors;

  it.each(valid)("accepts $name", ({ value }) => {
    expect(schema.safeParse(value).error).toBeUndefined();
  });

  it.each(invalid)("refuses $why, and names $field", ({ value, field }) => {
    const { error } = schema.safeParse(value);
    expect(error && problemOfZod(error).error.field).toBe(field);
  });
});

describe("the name of a part of a checkpoint", () => {
  const text = readFileSync(new URL("checkpoint-names.json", folder), "utf8");
  const { names } = JSON.parse(text) as { names: { content: string; name: string }[] };

  it.each(names)("of $content is $name", async ({ content, name }) => {
    expect(await partName(new TextEncoder().encode(content))).toBe(name);
    expect(checkpointIndex.shape.parts.safeParse([name]).success).toBe(true);
  });
});
