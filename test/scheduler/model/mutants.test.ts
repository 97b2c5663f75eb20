import { beforeAll, expect, test } from "vitest";
import { MUTANTS } from "./mutants.ts";
import { loadCore } from "./mutated-core.ts";
import { checkAgainstModel } from "./run.ts";

const SAMPLE = { sequences: 300, seed: 20_260_101, shrink: false };

// A copy without a mutation passes, so that what fails below fails by its mutation.
beforeAll(async () => {
  checkAgainstModel(await loadCore(), SAMPLE);
});

test.each(MUTANTS)("$rule the model catches: $name", async (mutant) => {
  const core = await loadCore(mutant);
  expect(() => checkAgainstModel(core, SAMPLE)).toThrow(/^S\d+/);
});

test("every rule that the model checks has a mutant", () => {
  const rules = new Set(MUTANTS.flatMap(({ rule }) => rule.split(", ")));
  const expected = ["S1", "S2", "S3", "S4", "S5", "S6", "S7", "S9", "S10", "S12", "S13", "S14", "S15", "S18", "S19"];
  expect([...rules]).toEqual(expect.arrayContaining(expected));
});
