import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  API_VERSION,
  action,
  backoffMs,
  backoffOptions,
  DEFAULT_BACKOFF,
  keyOf,
  label,
  MAX_TRIGGERS,
  objectName,
  parseKey,
  problemOfZod,
  triggersRequest,
} from "../../../functions/contract/index.ts";

describe("keys", () => {
  const labels = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,10}[a-z0-9])?$/);
  const names = fc.string({ minLength: 1, maxLength: 40 }).filter((text) => objectName.safeParse(text).success);

  it("a key's text leads back to the key", () => {
    const refs = fc.record(
      { cluster: labels, controller: labels, namespace: labels, name: names },
      { requiredKeys: ["cluster", "controller", "name"] },
    );
    fc.assert(
      fc.property(refs, (ref) => {
        expect(parseKey(keyOf(ref))).toEqual(ref);
      }),
    );
  });

  it.each(["a/b", ".", "..", "a%2f", "a b", "a\n", "", "ü", "a".repeat(254)])("X2 %j is no object name", (name) => {
    expect(objectName.safeParse(name).success).toBe(false);
  });

  it.each(["A", "-a", "a-", "a.b", "a_b", "", "a".repeat(64)])("X2 %j is no DNS label", (name) => {
    expect(label.safeParse(name).success).toBe(false);
  });
});

describe("actions", () => {
  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1, 0.5, "5", null, undefined, 1n])(
    "S9 a delay of %s is refused with its path",
    (requeueAfterMs) => {
      const { error } = action.safeParse({ requeueAfterMs });
      expect(JSON.stringify(error?.issues)).toContain("requeueAfterMs");
    },
  );
});

describe("limits", () => {
  it("X3 a batch that is too long names the limit", () => {
    const one = { controller: "documents", name: "a", reason: "bulk", lane: "live" };
    const { error } = triggersRequest.safeParse({
      apiVersion: API_VERSION,
      cluster: "home",
      triggers: Array.from({ length: MAX_TRIGGERS + 1 }, () => one),
    });
    expect(error && problemOfZod(error).error).toMatchObject({ field: "triggers", limit: "at most 500" });
  });
});

describe("backoff", () => {
  it.each([
    [0, 1_000],
    [1, 2_000],
    [3, 8_000],
    [9, 512_000],
    [10, 900_000],
    [1_000_000, 900_000],
  ])("S6 after %i failures the default is %i ms without jitter", (attempt, expected) => {
    expect(backoffMs(DEFAULT_BACKOFF, attempt, 0.5)).toBe(expected);
  });

  const options = fc
    .record({
      baseMs: fc.integer({ min: 1, max: 60_000 }),
      factor: fc.double({ min: 1, max: 10, noNaN: true }),
      maxMs: fc.integer({ min: 60_000, max: 10_000_000 }),
      jitter: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    .map((fields) => backoffOptions.parse(fields));
  const attempts = fc.nat({ max: 100_000 });
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

  it("S7 a delay is never outside the jitter around its cap, however often a key failed", () => {
    fc.assert(
      fc.property(options, attempts, random, (given, attempt, chance) => {
        const delay = backoffMs(given, attempt, chance);
        expect(Number.isInteger(delay)).toBe(true);
        expect(delay).toBeGreaterThanOrEqual(0);
        expect(delay).toBeLessThanOrEqual(Math.round(given.maxMs * (1 + given.jitter)));
      }),
    );
  });

  it("S7 without chance, another failure never shortens the delay", () => {
    fc.assert(
      fc.property(options, attempts, (given, attempt) => {
        expect(backoffMs(given, attempt + 1, 0.5)).toBeGreaterThanOrEqual(backoffMs(given, attempt, 0.5));
      }),
    );
  });
});
