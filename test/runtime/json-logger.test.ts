import { expect, test } from "vitest";
import { createJsonLogger } from "../../adapters/runtime/json-logger.ts";

function logged(level: "debug" | "info" | "warn" | "error", secrets: string[] = []) {
  const lines: string[] = [];
  return { lines, logger: createJsonLogger({ level, write: (line) => lines.push(line), secrets }) };
}

test("a line is JSON with its level, message and fields, those of `with` first", () => {
  const { lines, logger } = logged("info");
  logger.with({ key: "a" }).warn("run failed", { attempt: 3 });
  expect(JSON.parse(lines[0]!)).toMatchObject({ level: "warn", message: "run failed", key: "a", attempt: 3 });
});

test("lines below the level are not written", () => {
  const { lines, logger } = logged("error");
  logger.debug("a");
  logger.info("b");
  logger.warn("c");
  logger.error("d");
  expect(lines.map((line) => JSON.parse(line).message)).toEqual(["d"]);
});

test("X4 a secret is in no line, whatever field it came in", () => {
  const { lines, logger } = logged("info", ["hunter2"]);
  logger.info("login with hunter2", { deep: { token: "hunter2" } });
  expect(lines[0]).not.toContain("hunter2");
});

test("X4 a secret that becomes known later is hidden from then on", () => {
  const secrets: string[] = [""];
  const { lines, logger } = logged("info", secrets);
  secrets.push("hunter2");
  logger.info("login with hunter2");
  expect(lines[0]).toContain("login with [secret]");
});

test("fields that are no JSON do not throw", () => {
  const { lines, logger } = logged("info");
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  logger.info("odd", cycle);
  expect(JSON.parse(lines[0]!)).toMatchObject({ message: "odd" });
});

test("an error is its message and its causes', a bigint its digits", () => {
  const { lines, logger } = logged("info");
  logger.info("odd", { error: new Error("it broke", { cause: new Error("because") }), count: 10n });
  expect(JSON.parse(lines[0]!)).toMatchObject({ error: "it broke: because", count: "10" });
});

test("fields of a user change neither what a line is nor what it is about", () => {
  const { lines, logger } = logged("info");
  logger.with({ key: "a" }).info("true", { level: "error", time: "1970", message: "forged", key: "b" });
  expect(JSON.parse(lines[0]!)).toMatchObject({ level: "info", message: "true", key: "a" });
  expect(lines[0]).not.toContain("1970");
});

test("X4 a signing secret is hidden without its prefix, too", () => {
  const { lines, logger } = logged("info", ["whsec_aGlkZGVuIGhpZGRlbiBoaWRkZW4="]);
  logger.info("is aGlkZGVuIGhpZGRlbiBoaWRkZW4=");
  expect(lines[0]).toContain("is [secret]");
});
