import { describe, expect, test } from "vitest";
import * as z from "zod";
import { structuralSchema } from "../../../functions/kube/crd-schema.ts";
import { UnstructuralError } from "../../../functions/kube/structural-schema.ts";
import { constructs } from "./constructs.ts";
import { refusedPatterns } from "./pattern-constructs.ts";
import { refused } from "./refused-constructs.ts";

describe("a zod schema becomes a structural one", () => {
  test.each(constructs)("$name", ({ zod, crd }) => {
    expect(structuralSchema(zod, "spec.field")).toEqual(crd);
  });

  test.each(constructs)("$name: zod itself takes and refuses what the table says", (construct) => {
    for (const value of construct.takes) expect(z.safeParse(construct.zod, value)).toMatchObject({ success: true });
    for (const value of [...(construct.refuses ?? []), ...(construct.misfits ?? [])])
      expect(z.safeParse(construct.zod, value), JSON.stringify(value)).toMatchObject({ success: false });
  });
});

describe("what the API server cannot be told is refused with its path", () => {
  test.each(refused)("$construct at $at", ({ zod, at, construct }) => {
    const convert = () => structuralSchema(z.object({ field: zod }), "spec");
    expect(convert).toThrow(UnstructuralError);
    expect(convert).toThrow(`spec.${at}: ${construct} cannot be said in a CustomResourceDefinition; `);
  });

  test.each(refusedPatterns)("the pattern %s: %s", (regex, problem) => {
    expect(() => structuralSchema(z.string().regex(regex), "spec.field")).toThrow(
      `spec.field: ${problem} in the pattern ${regex} cannot be said in a CustomResourceDefinition; `,
    );
  });
});
