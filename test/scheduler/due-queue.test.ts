import * as fc from "fast-check";
import { expect, test } from "vitest";
import { DueQueue } from "../../adapters/scheduler/due-queue.ts";

const command = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(fc.constant("set" as const), fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 50 })),
  },
  { weight: 1, arbitrary: fc.tuple(fc.constant("delete" as const), fc.integer({ min: 0, max: 20 }), fc.constant(0)) },
);

test("keys come in order of their time, then of their coming, whatever was moved or taken out", async () => {
  await fc.assert(
    fc.property(
      fc.array(command, { maxLength: 80 }),
      fc.integer({ min: 0, max: 50 }),
      fc.integer({ min: 0, max: 25 }),
      (commands, now, limit) => {
        const queue = new DueQueue();
        let order: { key: string; at: number }[] = [];
        for (const [what, number, at] of commands) {
          const key = `k${number}`;
          if (what === "set" && order.find((item) => item.key === key)?.at === at) continue;
          order = order.filter((item) => item.key !== key);
          if (what === "delete") queue.delete(key);
          else {
            queue.set(key, at);
            order.push({ key, at });
          }
        }
        const expected = order.toSorted((a, b) => a.at - b.at);
        expect(queue.size).toBe(order.length);
        expect(queue.first()?.key).toBe(expected[0]?.key);
        const due = expected.filter((item) => item.at <= now).map((item) => item.key);
        const upTo = (skip: (key: string) => boolean) => queue.upTo(now, limit, skip).map(({ key }) => key);
        expect(upTo(() => false)).toEqual(due.slice(0, limit));
        expect(upTo((key) => key === due[0])).toEqual(due.slice(1, limit + 1));
      },
    ),
    { numRuns: 500 },
  );
});
