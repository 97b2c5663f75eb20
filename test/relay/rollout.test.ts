/** A new revision of the functions, all the way round: the relay sees it, every key runs under it, whoever falls over. */
import { awaitChange } from "sluice";
import { expect, it } from "vitest";
import { loop, MAPS, map, version } from "./support/loop.ts";

async function deployed() {
  const first = await version(() => awaitChange());
  const second = await version(() => {
    void "other code";
    return awaitChange();
  });
  const world = await loop(first);
  const { kill } = world.startRelay();
  await world.rest();
  for (const name of ["a", "b"]) await world.kubectl.create(MAPS, map(name));
  await world.rest();
  world.runs.length = 0;
  return { ...world, kill, first, second };
}

it("R12 every key runs once under a new revision, two minutes after it came at the latest", async () => {
  const { declare, pass, run, runs, second } = await deployed();
  declare(second);
  run(second);
  await pass(120_000);
  expect(runs).toEqual(["a by the second after 120 s", "b by the second after 120 s"]);
  await pass(600_000);
  expect(runs).toHaveLength(2);
});

it("R12 a revision that comes and goes runs nothing", async () => {
  const { declare, first, pass, runs, second } = await deployed();
  for (const each of [second, first, second, first]) {
    declare(each);
    await pass(60_000);
  }
  expect(runs).toEqual([]);
});

it("F7 a key that an old revision still answered runs again, until the new one answers", async () => {
  const { declare, pass, run, runs, second } = await deployed();
  declare(second);
  await pass(120_000);
  expect(runs).toEqual(["a by the first after 120 s", "b by the first after 120 s"]);
  await pass(30_000);
  run(second);
  await pass(30_000);
  expect(runs.slice(2)).toEqual(["a by the second after 180 s", "b by the second after 180 s"]);
  await pass(600_000);
  expect(runs).toHaveLength(4);
});

it("F7 five more runs, and no more, where no such revision ever answers", async () => {
  const { declare, pass, runs, second } = await deployed();
  declare(second);
  await pass(3_600_000);
  expect(runs.filter((run) => run.startsWith("a "))).toHaveLength(6);
});

it("R12 the re-reconcile goes on when the relay is killed before it delivered it", async () => {
  const { declare, kill, pass, rest, run, runs, second, startRelay } = await deployed();
  declare(second);
  await pass(119_000);
  await kill(); // it takes 5 s: the revision is adopted, and nothing of it arrives
  expect(runs).toEqual([]);
  startRelay();
  await rest();
  expect(runs.map((each) => each.slice(0, 14))).toEqual(["a by the first", "b by the first"]);
  run(second);
  await pass(60_000);
  expect(runs.slice(2).map((each) => each.slice(0, 15))).toEqual(["a by the second", "b by the second"]);
});
