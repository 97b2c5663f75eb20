import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { WakeAnswer } from "../../functions/contract/index.ts";
import {
  initialWakeTime,
  triggersTold,
  type WakeTime,
  wakeAsked,
  wakeDue,
  wakeTold,
} from "../../infra/relay/watchdog/wake-time.ts";

const now = 1_000_000;
const answer = (nextWakeInMs: number | null, timer: WakeAnswer["timer"] = "platform"): WakeAnswer => ({
  ...{ apiVersion: "sluice.dev/v1", nextWakeInMs, timer, revision: "r1", epoch: "e1" },
});
const held = (at: number | null, over: Partial<WakeTime> = {}): WakeTime => ({ ...initialWakeTime, at, ...over });

describe("R12 what the relay holds", () => {
  it.each<[string, number | null, number | null, number | null]>([
    ["sets what is not held", null, 500, now + 500],
    ["lowers what is held", now + 900, 500, now + 500],
    ["never raises it", now + 100, 500, now + 100],
    ["never takes it away", now + 100, null, now + 100],
    ["that says nothing sets nothing", null, null, null],
  ])("an answer to /triggers %s", (_, before, told, after) => {
    expect(triggersTold(held(before), answer(told), now).at).toBe(after);
  });

  it.each<[string, number | null, number | null, number | null]>([
    ["raises it", now + 100, 500, now + 500],
    ["lowers it", now + 900, 500, now + 500],
    ["takes it away", now + 100, null, null],
    ["sets it", null, 0, now],
  ])("an answer to /wake %s", (_, before, told, after) => {
    expect(wakeTold(wakeAsked(held(before)), answer(told), now).at).toBe(after);
  });

  it("an answer to /wake raises nothing that /triggers told since it was asked", () => {
    const asked = wakeAsked(held(now - 1));
    const meanwhile = triggersTold(asked, answer(500), now);
    expect(wakeTold(meanwhile, answer(null), now + 10).at).toBe(now + 500);
    expect(wakeTold(wakeAsked(meanwhile), answer(null), now + 10).at).toBeNull();
  });
});

describe("R12 the relay calls /wake", () => {
  it.each<[string, WakeTime, boolean, number | null]>([
    ["30 s after what it holds has passed", held(now), false, now + 30_000],
    ["at the time itself where it is the timer", held(now, { timer: "relay" }), false, now],
    ["never with nothing scheduled", held(null, { answeredAt: now }), false, null],
    ["every 5 minutes where hooks or schedules are declared", held(null, { answeredAt: now }), true, now + 300_000],
    ["sooner all the same where it is due", held(now + 1_000, { answeredAt: now }), true, now + 31_000],
    ["by the 5 minutes where it is due later", held(now + 9e9, { answeredAt: now }), true, now + 300_000],
    ["not at once again where it is due always", held(now, { timer: "relay", answeredAt: now }), false, now + 100],
  ])("%s", (_, time, unseen, due) => {
    expect(wakeDue(time, unseen)).toBe(due);
  });

  it("follows who is the timer now", () => {
    const { timer } = triggersTold(held(now), answer(null, "relay"), now);
    expect(timer).toBe("relay");
    expect(wakeTold(held(now, { timer }), answer(1, "platform"), now).timer).toBe("platform");
  });
});

it("R12 nothing that was ever told is forgotten before a /wake asked later was answered", () => {
  const told = fc.option(fc.integer({ min: 0, max: 100_000 }), { nil: null });
  const event = fc.oneof(
    fc.record({ triggers: told }),
    fc.constant("asked" as const),
    fc.record({ wake: told }),
    fc.record({ pass: fc.integer({ min: 0, max: 50_000 }) }),
  );
  fc.assert(
    fc.property(fc.array(event), (events) => {
      let time = initialWakeTime;
      let at = now;
      let asking = false;
      let before: number[] = [];
      let since: number[] = [];
      for (const each of events) {
        if (each === "asked") {
          time = wakeAsked(time);
          [before, since] = [[...before, ...since], []];
          asking = true;
        } else if ("pass" in each) at += each.pass;
        else if ("triggers" in each) {
          time = triggersTold(time, answer(each.triggers), at);
          if (each.triggers !== null) since.push(at + each.triggers);
        } else if (asking) {
          time = wakeTold(time, answer(each.wake), at);
          before = each.wake === null ? [] : [at + each.wake];
          asking = false;
        }
        const pending = [...before, ...since];
        expect(time.at).toBe(pending.length === 0 ? null : Math.min(...pending));
      }
    }),
  );
});
