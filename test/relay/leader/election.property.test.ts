import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { electionWorld, type Fate, type Happening } from "./election-world.ts";

const ms = (max: number) => fc.integer({ min: 0, max });
const fates: fc.Arbitrary<Fate[]> = fc.array(
  fc.record({
    thereMs: fc.oneof(ms(50), ms(4_000), ms(20_000)),
    backMs: fc.oneof(ms(50), ms(4_000), ms(20_000)),
    lost: fc.constantFrom("no", "no", "no", "request", "answer"),
  }),
  { maxLength: 60, size: "max" },
);
const place = { atMs: ms(120_000), candidate: fc.integer({ min: 0, max: 1 }) };
const happenings: fc.Arbitrary<Happening[]> = fc.array(
  fc.oneof(
    fc.record({ ...place, is: fc.constant("pause" as const), forMs: ms(60_000) }),
    fc.record({ ...place, is: fc.constant("kill" as const) }),
    fc.record({ ...place, is: fc.constant("stop" as const) }),
    fc.record({ ...place, is: fc.constant("clock step" as const), byMs: fc.integer({ min: -1e9, max: 1e9 }) }),
  ),
  { maxLength: 12, size: "max" },
);

describe("R10 an election of two, whatever is late, lost, paused, killed or set to another time", () => {
  it("never has two who lead, and in the end somebody does", () => {
    fc.assert(
      fc.property(fates, happenings, (each, all) => {
        const world = electionWorld(2, [...each]);
        all.forEach(world.plan);
        world.start();
        let most = 0;
        world.run(300_000, (leaders) => {
          most = Math.max(most, leaders.length);
        });
        expect(most).toBe(1);
        expect(world.leaders()).toHaveLength(1);
      }),
      { numRuns: 300 },
    );
  });

  it("counts each passing to another in leaseTransitions, and nothing else", () => {
    fc.assert(
      fc.property(fates, happenings, (each, all) => {
        const world = electionWorld(2, [...each]);
        all.forEach(world.plan);
        world.start();
        world.run(200_000, () => {});
        let taken = -1;
        let before = "";
        for (const [holder = "", count] of world.transitions.map((line) => line.split(" "))) {
          if (holder !== "nobody" && holder !== before) taken++;
          expect(Number(count)).toBe(taken);
          before = holder;
        }
      }),
      { numRuns: 100 },
    );
  });
});
