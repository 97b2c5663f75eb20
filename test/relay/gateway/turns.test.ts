import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock, type VirtualClock } from "../../../adapters/testing/virtual-clock.ts";
import { Refusal } from "../../../infra/relay/gateway/refusal.ts";
import {
  BURST_SECONDS,
  type GatewayLimits,
  MAX_WAIT_MS,
  MAX_WAITING,
  Turns,
} from "../../../infra/relay/gateway/turns.ts";

let clock: VirtualClock;
beforeEach(() => {
  clock = createVirtualClock(0);
});

const plenty = 1_000_000;

/** One that asks for a turn, and what became of that. */
type Guest = { name: string; leave?: () => void; refused?: Refusal };

function turnsOf(limits: Partial<GatewayLimits>) {
  const turns = new Turns(clock, { concurrency: plenty, ratePerSecond: plenty, ...limits });
  const started: string[] = [];
  function enter(
    name: string,
    { controller = "c", within = plenty, signal = new AbortController().signal } = {},
  ): Guest {
    const guest: Guest = { name };
    turns.enter(controller, { deadlineAt: clock.monotonic() + within, signal }).then(
      (leave) => {
        guest.leave = leave;
        started.push(name);
      },
      (error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        guest.refused = error;
      },
    );
    return guest;
  }
  return { turns, started, enter };
}

describe("requests of a controller at once", () => {
  it("are as many as its concurrency; the others wait, first come first served", async () => {
    const { started, enter } = turnsOf({ concurrency: 2 });
    const guests = ["a", "b", "c", "d"].map((name) => enter(name));
    await clock.settle();
    expect(started).toEqual(["a", "b"]);
    guests[1]!.leave!();
    await clock.settle();
    expect(started).toEqual(["a", "b", "c"]);
    guests[0]!.leave!();
    await clock.settle();
    expect(started).toEqual(["a", "b", "c", "d"]);
  });

  it("give a turn back once, however often it is given back", async () => {
    const { started, enter } = turnsOf({ concurrency: 1 });
    const first = enter("a");
    for (const name of ["b", "c"]) enter(name);
    await clock.settle();
    first.leave!();
    first.leave!();
    await clock.settle();
    expect(started).toEqual(["a", "b"]);
  });

  it("never wait for those of another controller", async () => {
    const { started, enter } = turnsOf({ concurrency: 1 });
    for (const name of ["a", "b", "c"]) enter(name);
    enter("other", { controller: "other" });
    await clock.settle();
    expect(started).toEqual(["a", "other"]);
  });
});

describe("requests of a controller a second", () => {
  it("are those of 20 s after a rest, and then the rate", async () => {
    const { started, enter } = turnsOf({ ratePerSecond: 10 });
    for (let i = 0; i < 250; i++) enter(String(i), { within: plenty });
    await clock.settle();
    expect(started).toHaveLength(200);
    await clock.advance(99);
    expect(started).toHaveLength(200);
    await clock.advance(1);
    expect(started).toHaveLength(201);
    await clock.advance(1_000);
    expect(started).toHaveLength(211);
    expect(started).toEqual([...Array(211).keys()].map(String));
  });

  it("count for each controller alone", async () => {
    const { started, enter } = turnsOf({ ratePerSecond: 1 });
    for (let i = 0; i <= BURST_SECONDS; i++) enter(String(i));
    enter("other", { controller: "other" });
    await clock.settle();
    expect(started.slice(-2)).toEqual([String(BURST_SECONDS - 1), "other"]);
  });
});

describe("a request that does not get its turn", () => {
  it("is refused with 429 and Retry-After after 5 s", async () => {
    const { enter } = turnsOf({ concurrency: 1 });
    enter("a");
    const waiting = enter("b");
    await clock.advance(MAX_WAIT_MS - 1);
    expect(waiting.refused).toBeUndefined();
    await clock.advance(1);
    expect(waiting.refused?.status).toBe(429);
    expect(waiting.refused?.headers).toEqual({ "retry-after": "1" });
    expect(waiting.refused?.problem.error).toMatchObject({
      code: "too-many-requests",
      message: `this request waited longer than the gateway's limit of 1 requests at once, ${plenty} a second allows`,
      limit: `1 requests at once, ${plenty} a second`,
    });
    expect(clock.timers).toBe(0);
  });

  it("S5 waits no longer than until its deadline", async () => {
    const { enter } = turnsOf({ concurrency: 1 });
    enter("a");
    const waiting = enter("b", { within: 300 });
    await clock.advance(299);
    expect(waiting.refused).toBeUndefined();
    await clock.advance(1);
    expect(waiting.refused?.status).toBe(429);
  });

  it("leaves the queue when its client goes, and those behind it move up", async () => {
    const { started, enter } = turnsOf({ concurrency: 1 });
    const client = new AbortController();
    const first = enter("a");
    const gone = enter("b", { signal: client.signal });
    enter("c");
    client.abort();
    await clock.settle();
    expect(gone.refused?.status).toBe(499);
    first.leave!();
    await clock.settle();
    expect(started).toEqual(["a", "c"]);
  });

  it("takes no turn where its client has gone already", async () => {
    const { started, enter } = turnsOf({});
    expect(enter("a", { signal: AbortSignal.abort() }).leave).toBeUndefined();
    await clock.settle();
    expect(started).toEqual([]);
    expect(clock.timers).toBe(0);
  });

  it("is refused at once where the queue is full, which tells how long it is", async () => {
    const { enter } = turnsOf({ concurrency: 1, ratePerSecond: 100 });
    for (let i = 0; i <= MAX_WAITING; i++) enter(String(i));
    const late = enter("late");
    await clock.settle();
    expect(late.refused?.status).toBe(429);
    expect(late.refused?.headers).toEqual({ "retry-after": "3" });
    expect(enter("other", { controller: "other" }).refused).toBeUndefined();
  });

  it("is told so where the relay stops", async () => {
    const { turns, enter } = turnsOf({ concurrency: 1 });
    enter("a");
    const waiting = enter("b");
    turns.stop(new Refusal(503, "stopping", "the relay is being stopped"));
    await clock.settle();
    expect(waiting.refused?.status).toBe(503);
    expect(clock.timers).toBe(0);
  });
});

it("whatever comes, leaves and waits: the limits hold, and nobody is forgotten or passed by", async () => {
  const step = fc.oneof(
    fc.record({ does: fc.constant("enter" as const) }),
    fc.record({ does: fc.constant("leave" as const), at: fc.nat(5) }),
    fc.record({ does: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 400 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      clock = createVirtualClock(0);
      const [concurrency, ratePerSecond] = [3, 0.5];
      const { started, enter } = turnsOf({ concurrency, ratePerSecond });
      const guests: Guest[] = [];
      const running = () => guests.filter(({ leave }) => leave);
      for (const [i, each] of steps.entries()) {
        if (each.does === "enter") guests.push(enter(String(i)));
        else if (each.does === "wait") await clock.advance(each.ms);
        else {
          const one = running()[each.at];
          one?.leave?.();
          if (one) delete one.leave;
        }
        await clock.settle();
        expect(running().length).toBeLessThanOrEqual(concurrency);
        expect(started.length).toBeLessThanOrEqual(
          BURST_SECONDS * ratePerSecond + (clock.monotonic() / 1000) * ratePerSecond,
        );
        expect(started.map(Number)).toEqual(started.map(Number).toSorted((a, b) => a - b));
      }
      await clock.advance(MAX_WAIT_MS);
      const told = guests.filter(({ name, refused }) => refused || started.includes(name));
      expect(told).toHaveLength(guests.length);
    }),
    { numRuns: 60 },
  );
});
