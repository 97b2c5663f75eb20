import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_DELAY_MS } from "../../../functions/contract/index.ts";
import { awaitChange, exponential, requeueAfter } from "../../../functions/controller/action.ts";
import { type Duration, toMs } from "../../../functions/controller/duration.ts";
import { RetryAfterError } from "../../../functions/controller/errors.ts";

describe("durations", () => {
  it.each<[Duration, number]>([
    ["0s", 0],
    ["250ms", 250],
    ["5m", 300_000],
    ["5ms", 5],
    ["1.1s", 1_100],
    ["1h30m", 5_400_000],
    ["2d3h4m5s6ms", 183_845_006],
    [{ minutes: 5 }, 300_000],
    [{ days: 1, milliseconds: 1 }, 86_400_001],
    [{ seconds: 0 }, 0],
    ["181d", MAX_DELAY_MS],
    [{ days: 1e300 }, MAX_DELAY_MS],
    [{ days: Number.MAX_VALUE, hours: Number.MAX_VALUE }, MAX_DELAY_MS],
  ])("S9 %j is %i ms", (duration, expected) => {
    expect(toMs(duration)).toBe(expected);
  });

  it.each<[unknown, string]>([
    [300, 'delay: must be like "5m" or { minutes: 5 }, not 300'],
    [Number.NaN, "not NaN"],
    [null, "not null"],
    [undefined, "not undefined"],
    [[5], "not a list"],
    ["", 'must be like "5m"'],
    ["5", 'not "5"'],
    ["m", 'not "m"'],
    ["-5m", 'not "-5m"'],
    ["5 m", "d, h, m, s, ms, in this order"],
    ["5m1h", "d, h, m, s, ms, in this order"],
    ["5min", 'not "5min"'],
    ["Infinitys", 'not "Infinitys"'],
    [`${"9".repeat(400)}d`, "delay: days must be a finite number"],
    [{}, "delay: names no unit; known are days, hours, minutes, seconds, milliseconds"],
    [{ minute: 5 }, 'delay: "minute" is no unit'],
    [{ minutes: "5" }, "delay: minutes must be a finite number, at least 0, not "],
    [{ minutes: undefined }, "not undefined"],
    [{ minutes: Number.NaN }, "not NaN"],
    [{ minutes: -1 }, "not -1"],
    [{ minutes: -1, hours: 1 }, "not -1"],
    [{ minutes: Number.POSITIVE_INFINITY }, "not Infinity"],
    [{ minutes: Number.NEGATIVE_INFINITY }, "not -Infinity"],
  ])("S9 %o is refused, with its path and what is expected", (duration, message) => {
    const convert = (): number => toMs(duration as Duration, "delay");
    expect(convert).toThrow(message);
    expect(convert).toThrow(/^delay: /);
  });

  it("S9 whatever is given becomes whole milliseconds within 0 and 180 days, or an error that is short", () => {
    const texts = fc.stringMatching(/^(\d{1,20}(\.\d{1,5})?d)?(\d{1,20}h)?(\d{1,20}m)?(\d{1,9}(\.\d+)?s)?$/);
    fc.assert(
      fc.property(fc.oneof(texts, fc.anything()), (given) => {
        try {
          const ms = toMs(given as Duration);
          expect(Number.isInteger(ms) && ms >= 0 && ms <= MAX_DELAY_MS).toBe(true);
        } catch (error) {
          expect((error as Error).message).toMatch(/^duration: .{1,120}$/s);
        }
      }),
    );
  });
});

describe("actions", () => {
  it("are one or the other", () => {
    expect(requeueAfter("5m")).toEqual({ requeueAfterMs: 300_000 });
    expect(requeueAfter({ seconds: 0 })).toEqual({ requeueAfterMs: 0 });
    expect(awaitChange()).toEqual({ awaitChange: true });
  });

  it("name themselves where the duration is wrong", () => {
    expect(() => requeueAfter(5 as never)).toThrow("requeueAfter: must be like");
    expect(() => new RetryAfterError("closed", 5 as never)).toThrow("RetryAfterError: must be like");
  });
});

describe("exponential", () => {
  const plain = (attempt: number, options: object = {}): number =>
    toMs(exponential(attempt, { jitter: 0, ...options }));

  it("S7 grows from the base into the cap", () => {
    expect([0, 1, 2, 10, 10_000].map((attempt) => plain(attempt))).toEqual([1_000, 2_000, 4_000, 900_000, 900_000]);
    const options = { base: "10s", factor: 3, max: { minutes: 2 } };
    expect([0, 1, 2, 3].map((attempt) => plain(attempt, options))).toEqual([10_000, 30_000, 90_000, 120_000]);
  });

  it("S7 has 25 % jitter", () => {
    const delays = Array.from({ length: 200 }, () => toMs(exponential(3)));
    for (const delay of delays) expect(Math.abs(delay - 8_000)).toBeLessThanOrEqual(2_000);
    expect(new Set(delays).size).toBeGreaterThan(10);
  });

  it.each([
    [-1, {}, "attempt must be a whole number"],
    [0.5, {}, "attempt must be a whole number"],
    [Number.NaN, {}, "attempt must be a whole number"],
    [0, { factor: 0.5 }, "factor must be 1 to 10"],
    [0, { jitter: 2 }, "jitter must be 0 to 1"],
    [0, { base: 5 }, "exponential: base: must be like"],
  ])("refuses %d %j", (attempt, options, message) => {
    expect(() => exponential(attempt, options as never)).toThrow(message);
  });
});
