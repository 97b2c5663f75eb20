import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLines, MAX_LINE_LENGTH } from "../../infra/relay/watch/lines.ts";

function cut(bytes: Uint8Array, at: readonly number[]): Uint8Array[] {
  const ends = [...new Set(at.map((each) => each % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...ends, bytes.length].map((end, i) => bytes.subarray(i === 0 ? 0 : ends[i - 1], end));
}

describe("R1 lines of a watch", () => {
  it("come whole, wherever the chunks end, in a character too", () => {
    const line = fc.string({ unit: "binary", minLength: 1 }).map((text) => JSON.stringify(text));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat()), (texts, at) => {
        const bytes = new TextEncoder().encode(texts.map((text) => `${text}\n`).join(""));
        const lines = createLines();
        expect(cut(bytes, at).flatMap((chunk) => lines.push(chunk))).toEqual(texts);
      }),
    );
  });

  it("are none without their newline", () => {
    const lines = createLines();
    expect(lines.push(new TextEncoder().encode('{"type":'))).toEqual([]);
    expect(lines.push(new TextEncoder().encode('1}\n{"ty'))).toEqual(['{"type":1}']);
  });

  it("of 3 MB come in one piece out of many small chunks", () => {
    const text = `"${"é".repeat(1_500_000)}"`;
    const bytes = new TextEncoder().encode(`${text}\n`);
    const lines = createLines();
    const found: string[] = [];
    for (let at = 0; at < bytes.length; at += 1_021) found.push(...lines.push(bytes.subarray(at, at + 1_021)));
    expect(found.length).toBe(1);
    expect(found[0] === text).toBe(true);
  });

  it("without an end are refused, with the limit", () => {
    const lines = createLines();
    const chunk = new TextEncoder().encode("x".repeat(MAX_LINE_LENGTH / 2));
    lines.push(chunk);
    lines.push(chunk);
    expect(() => lines.push(chunk)).toThrow(`${MAX_LINE_LENGTH} characters`);
  });
});
