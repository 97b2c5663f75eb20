import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock, type VirtualClock } from "../../../adapters/testing/virtual-clock.ts";
import { ClockOffset } from "../../../infra/relay/gateway/clock-offset.ts";

const START = Date.UTC(2026, 0, 1);
let clock: VirtualClock;
let offset: ClockOffset;

beforeEach(() => {
  clock = createVirtualClock(START);
  offset = new ClockOffset(clock);
});

/** The functions' clock, `aheadMs` before ours. */
const theirs = (aheadMs: number) => clock.now() + aheadMs;

/** What an answer tells of the functions' clock: with our header to the millisecond, else to the second. */
const HEADERS = {
  ours: (at: number) => new Headers({ "x-sluice-now-ms": String(at), date: "Thu, 01 Jan 1970 00:00:00 GMT" }),
  standard: (at: number) => new Headers({ date: new Date(at).toUTCString() }),
};
type Precision = keyof typeof HEADERS;

/** An answer of the functions that took `tripMs` in each direction. */
async function exchange(aheadMs: number, tripMs: number, precision: Precision = "ours"): Promise<void> {
  const askedAt = clock.monotonic();
  await clock.advance(tripMs);
  const headers = HEADERS[precision](theirs(aheadMs));
  await clock.advance(tripMs);
  offset.answered(askedAt, headers);
}

describe("S5 the functions' clock against ours", () => {
  it("unknown, the latest is unbounded, and the earliest takes the clocks as equal", () => {
    expect(offset.latest(theirs(0))).toBe(Number.POSITIVE_INFINITY);
    expect(offset.earliest(theirs(0))).toBe(clock.monotonic());
  });

  it("a message that has come is no later than now", async () => {
    const sent = theirs(-7_000);
    await clock.advance(40);
    offset.received(sent);
    expect(offset.latest(sent)).toBe(clock.monotonic());
  });

  it("the fastest message tells most", async () => {
    for (const delay of [500, 20, 3_000]) {
      const sent = theirs(60_000);
      await clock.advance(delay);
      offset.received(sent);
    }
    expect(offset.latest(theirs(60_000)) - clock.monotonic()).toBe(20);
  });

  it.each([
    ["ours", 1],
    ["standard", 1_000],
  ] as const)(
    "holds the true instant between its bounds, as near as an answer's way (%s header)",
    async (precision, resolutionMs) => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: -200_000, max: 200_000 }),
          fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 5 }),
          async (aheadMs, trips) => {
            offset = new ClockOffset(clock);
            for (const trip of trips) await exchange(aheadMs, trip, precision);
            const now = clock.monotonic();
            expect(offset.earliest(theirs(aheadMs))).toBeLessThanOrEqual(now);
            expect(offset.latest(theirs(aheadMs))).toBeGreaterThanOrEqual(now);
            const width = offset.latest(theirs(aheadMs)) - offset.earliest(theirs(aheadMs));
            expect(width).toBeLessThanOrEqual(resolutionMs + 2 * Math.min(...trips));
          },
        ),
      );
    },
  );

  it("a step of the functions' clock back is believed at the next answer, so that nothing stays late", async () => {
    await exchange(0, 10);
    await exchange(-60_000, 10);
    expect(offset.latest(theirs(-60_000)) - clock.monotonic()).toBeGreaterThanOrEqual(0);
  });

  it.each(["", "soon", "-1", "1e3"])("an answer without the time tells nothing: %j", (text) => {
    offset.answered(clock.monotonic(), new Headers({ "x-sluice-now-ms": text }));
    expect(offset.latest(theirs(0))).toBe(Number.POSITIVE_INFINITY);
  });

  it("what was seen more than 10 minutes ago says nothing any more", async () => {
    offset.received(theirs(0));
    await clock.advance(300_000);
    offset.received(theirs(0) - 500);
    expect(offset.latest(theirs(0)) - clock.monotonic()).toBe(0);
    await clock.advance(300_000);
    offset.received(theirs(0) - 500);
    expect(offset.latest(theirs(0)) - clock.monotonic()).toBe(500);
  });

  it("a step of our own wall clock changes nothing", async () => {
    await exchange(0, 10);
    const instant = theirs(0);
    const before = offset.latest(instant);
    clock.step(-3_600_000);
    expect(offset.latest(instant)).toBe(before);
  });
});
