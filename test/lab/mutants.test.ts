import { expect, test } from "vitest";
import { falseClaims, type LabRun, reportIn, runLab } from "./lab-process.ts";
import { MUTANTS, type Mutant } from "./mutants.ts";
import { copyTree } from "./mutated-tree.ts";

/** A claim that never comes true is waited for 10 s. */
const LIMIT_MS = 120_000;
const SIDE_BY_SIDE = 2;

async function runMutant(mutant?: Mutant): Promise<LabRun> {
  const { root, remove } = await copyTree(mutant);
  try {
    return await runLab(["--json"], { root });
  } finally {
    await remove();
  }
}

/** All of them, begun in their order, two at a time: a lab waits more than it works. */
const queue = [undefined, ...MUTANTS].map((mutant) => ({ mutant, run: Promise.withResolvers<LabRun>() }));
const pending = queue.values();
async function workOff(): Promise<void> {
  for (const { mutant, run } of pending) {
    run.promise.catch(() => {}); // its test has not come yet
    await runMutant(mutant).then(run.resolve, run.reject);
  }
}
for (let i = 0; i < SIDE_BY_SIDE; i++) void workOff();

const runOf = (mutant?: Mutant) => queue.find((each) => each.mutant === mutant)!.run.promise;

test(
  "a copy without a mutation passes, so that what fails below fails by its mutation",
  async () => {
    const run = await runOf();
    expect(falseClaims(reportIn(run))).toEqual([]);
    expect(run.code).toBe(0);
  },
  LIMIT_MS,
);

test.each(MUTANTS)(
  "($claim) is false where $name",
  async (mutant) => {
    const run = await runOf(mutant);
    expect(falseClaims(reportIn(run))).toEqual([mutant.claim]);
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(new RegExp(`^false: \\(${mutant.claim}\\) .+: .+\\n$`));
  },
  LIMIT_MS,
);

test("every claim has a mutant", () => {
  expect(MUTANTS.map(({ claim }) => claim)).toEqual(["a", "b", "c", "d", "e", "f", "g"]);
});
