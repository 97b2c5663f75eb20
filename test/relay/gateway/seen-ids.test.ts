import { expect, it } from "vitest";
import { createVirtualClock } from "../../../adapters/testing/virtual-clock.ts";
import { MAX_IDS, SeenIds } from "../../../infra/relay/gateway/seen-ids.ts";

function idsUnderTest() {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  return { clock, ids: new SeenIds(clock) };
}

it("X1 an id is known for as long as its timestamp is fresh, and forgotten then", async () => {
  const { clock, ids } = idsUnderTest();
  const sent = clock.now();
  expect(ids.add("a", sent)).toBe("new");
  await clock.advance(300_000);
  expect(ids.add("a", sent)).toBe("repeated");
  await clock.advance(1_000);
  expect(ids.add("b", clock.now())).toBe("new");
  expect(ids.size).toBe(1);
});

it("X1 one from a clock that is ahead is known for longer", async () => {
  const { clock, ids } = idsUnderTest();
  const sent = clock.now() + 300_000;
  expect(ids.add("a", sent)).toBe("new");
  await clock.advance(600_000);
  expect(ids.add("a", sent)).toBe("repeated");
});

it("X1 a wall clock that steps forward makes nothing forgotten before its time", async () => {
  const { clock, ids } = idsUnderTest();
  expect(ids.add("a", clock.now())).toBe("new");
  clock.step(3_600_000);
  clock.step(-3_600_000);
  expect(ids.add("a", clock.now())).toBe("repeated");
});

it("X1 a full memory forgets nothing for a new id, and has room again later", async () => {
  const { clock, ids } = idsUnderTest();
  for (let i = 0; i < MAX_IDS; i++) ids.add(String(i), clock.now());
  expect(ids.add("one more", clock.now())).toBe("full");
  expect(ids.add("0", clock.now())).toBe("repeated");
  await clock.advance(301_000);
  expect(ids.add("one more", clock.now())).toBe("new");
  expect(ids.size).toBe(1);
});
