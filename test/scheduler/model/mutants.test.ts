import { beforeAll, expect, test } from "vitest";
import { LINE_MUTANTS } from "./line-mutants.ts";
import { MUTANTS } from "./mutants.ts";
import { loadCore } from "./mutated-core.ts";
import { PARK_MUTANTS } from "./park-mutants.ts";
import { checkAgainstModel } from "./run.ts";
import { SHARD_MUTANTS } from "./shard-mutants.ts";

const SAMPLE = { sequences: 300, seed: 20_260_101, shrink: false };

// A copy without a mutation passes, so that what fails below fails by its mutation.
beforeAll(async () => {
  checkAgainstModel(await loadCore(), SAMPLE);
}, 60_000);

const ALL = [...MUTANTS, ...LINE_MUTANTS, ...SHARD_MUTANTS, ...PARK_MUTANTS];

test.each(ALL)("$rule the model catches: $name", async (mutant) => {
  const core = await loadCore(mutant);
  expect(() => checkAgainstModel(core, SAMPLE)).toThrow(/^S\d+/);
});

test("every rule that the model checks has a mutant", () => {
  const rules = new Set(ALL.flatMap(({ rule }) => rule.split(", ")));
  const checked = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 18, 19, 20, 21];
  expect([...rules]).toEqual(expect.arrayContaining(checked.map((number) => `S${number}`)));
});
