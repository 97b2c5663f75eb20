import { expect, test } from "vitest";
import { core } from "./core-under-test.ts";
import { checkAgainstModel } from "./run.ts";

const RUNS = Number(process.env.SLUICE_MODEL_RUNS ?? 2_000);
/** In 2,000 sequences every situation of every rule comes up at least this often. */
const LEAST = Math.floor((100 * Math.min(RUNS, 2_000)) / 2_000);

test("S1 to S21 hold in random sequences, and every rule comes up", { timeout: 60_000 + 50 * RUNS }, () => {
  const { situations, sequences, commands } = checkAgainstModel(core, { sequences: RUNS });
  console.log(
    `${sequences} sequences of ${(commands / sequences).toFixed(1)} commands on average; checked by rule:`,
    [...situations.rules()].map(([rule, count]) => `${rule} ${count}`).join(", "),
  );
  expect(commands / sequences).toBeGreaterThanOrEqual(20);
  expect(situations.below(LEAST)).toEqual([]);
});
