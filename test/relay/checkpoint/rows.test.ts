import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_PART_BYTES } from "../../../functions/contract/index.ts";
import { bytesOf, hashOf, partition } from "../../../infra/relay/checkpoint/partition.ts";
import { decode, encode } from "../../../infra/relay/checkpoint/rows.ts";
import { plans, recordOf, sorted, states, stateWith } from "./states.ts";

const textsOf = (state: Parameters<typeof encode>[0]) => encode(state).parts.map((part) => part.text());
const shuffled = <T>(list: Iterable<T>, by: number): T[] =>
  [...list].sort((a, b) => hashOf(JSON.stringify(a), by) - hashOf(JSON.stringify(b), by));

describe("R7 a state", () => {
  it("comes back from its parts as it was", () => {
    fc.assert(
      fc.property(states, (state) => {
        const { positions, parts } = encode(state);
        const back = decode(
          positions,
          parts.map((part) => part.text()),
        );
        expect(sorted(back)).toEqual(sorted(state));
      }),
    );
  });

  it("comes back with empty texts, which are no empty lists", () => {
    const empty = recordOf({ version: "", generation: "" });
    const state = stateWith(1, () => empty);
    const { positions, parts } = encode(state);
    const [watch] = decode(
      positions,
      parts.map((part) => part.text()),
    ).watches;
    expect([...watch!.records]).toEqual([["default/document-0", empty]]);
  });

  it("makes the same parts in whatever order it was collected, and its parts are read in any order", () => {
    fc.assert(
      fc.property(states, fc.nat(), ({ watches, pending }, seed) => {
        const other = {
          watches: shuffled(watches, seed).map((watch) => ({ ...watch, records: shuffled(watch.records, seed) })),
          pending: shuffled(pending, seed),
        };
        expect(textsOf(other)).toEqual(textsOf({ watches, pending }));
        expect(encode(other).positions).toEqual(encode({ watches, pending }).positions);
        const { positions } = encode(other);
        expect(sorted(decode(positions, shuffled(textsOf(other), seed)))).toEqual(sorted({ watches, pending }));
      }),
      { numRuns: 50 },
    );
  });

  it("says in its parts nothing of cursors, which change with every event", () => {
    const state = stateWith(10);
    const later = { ...state, watches: state.watches.map((watch) => ({ ...watch, cursor: "6" })) };
    expect(textsOf(later)).toEqual(textsOf(state));
    expect(encode(later).positions).toEqual([{ cursor: "6", listed: true, fresh: false }]);
  });

  it("has a few parts of at most 48 KiB, most of them more than half full", () => {
    const parts = textsOf(stateWith(10_000));
    const bytes = parts.map((text) => new TextEncoder().encode(text).length);
    const total = bytes.reduce((sum, size) => sum + size, 0);
    console.log(`10,000 objects: ${total} bytes in ${parts.length} parts`);
    expect(Math.max(...bytes)).toBeLessThanOrEqual(MAX_PART_BYTES);
    expect(parts.length).toBeLessThan((2.2 * total) / MAX_PART_BYTES);
  });

  it("that changes in one record changes one part", () => {
    fc.assert(
      fc.property(fc.nat({ max: 1_999 }), (changed) => {
        const before = new Set(textsOf(stateWith(2_000)));
        const after = textsOf(stateWith(2_000, (i) => (i === changed ? { version: "1234568" } : {})));
        expect(after.filter((text) => !before.has(text))).toHaveLength(1);
        expect(after).toHaveLength(before.size);
      }),
      { numRuns: 10 },
    );
  });

  it("that grows by one record changes one part, or splits one into two", () => {
    for (let count = 5_000; count < 5_005; count++) {
      const before = new Set(textsOf(stateWith(count)));
      expect(textsOf(stateWith(count + 1)).filter((text) => !before.has(text)).length).toBeLessThanOrEqual(2);
    }
  });

  it("that another watch joins keeps the other watches' parts", () => {
    const state = stateWith(2_000);
    const before = new Set(textsOf(state));
    const records = [["default/s", recordOf()]] as const;
    const joined = { plan: plans[1]!, cursor: "1", listed: true, fresh: false, records };
    const after = textsOf({ ...state, watches: [joined, ...state.watches] });
    expect(after.filter((text) => !before.has(text)).length).toBeLessThanOrEqual(2);
  });

  it("with an object too large for a part leaves it out, and its watch is to be listed", () => {
    const state = stateWith(3, (i) => (i === 1 ? { fields: ["x".repeat(MAX_PART_BYTES)] } : {}));
    const { positions, parts } = encode(state);
    const [watch] = decode(
      positions,
      parts.map((part) => part.text()),
    ).watches;
    expect(watch).toMatchObject({ cursor: "5", listed: false });
    expect([...watch!.records].map(([id]) => id).sort()).toEqual(["default/document-0", "default/document-2"]);
  });

  it.each([
    ["no JSON", ["{"]],
    ["another thing", ["{}"]],
    ["a plan less", []],
  ])("is not made of %s", (_, texts) => {
    expect(() => decode([{ listed: true, fresh: false }], texts)).toThrow();
  });
});

describe("R7 parts", () => {
  const rows = fc.array(fc.record({ hash: fc.nat({ max: 0xffff_ffff }), size: fc.integer({ min: 1, max: 50 }) }));
  const crowded = fc.array(
    fc.record({ hash: fc.constantFrom(0, 1, 0xffff_ffff), size: fc.integer({ min: 1, max: 50 }) }),
  );

  it("hold every row once, and no more than the limit", () => {
    fc.assert(
      fc.property(fc.oneof(rows, crowded), fc.integer({ min: 50, max: 200 }), (given, limit) => {
        const parts = partition([...given], limit, () => 0);
        expect(new Set(parts.flat())).toEqual(new Set(given));
        expect(parts.flat()).toHaveLength(given.length);
        for (const part of parts) {
          expect(part.length).toBeGreaterThan(0);
          expect(part.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(limit);
        }
      }),
    );
  });

  it("count the bytes of UTF-8", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const written = JSON.stringify(text);
        expect(bytesOf(written)).toBe(new TextEncoder().encode(written).length);
      }),
    );
  });
});
