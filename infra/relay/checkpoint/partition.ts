/**
 * Rows cut into parts by the hash of their key: which part holds a row depends on the rows around it only, so that one row
 * that changes changes one part, and one that is too much for its part splits that part alone. Pure.
 * @module
 */

export type Row = {
  /** Of its key, 32 bits. */
  hash: number;
  /** Bytes that it takes in a part. */
  size: number;
};

/**
 * The parts, each with its rows in the order of their hash.
 * @param limit most bytes of a part; no row is larger.
 * @param order between rows with the same hash.
 */
export function partition<R extends Row>(rows: R[], limit: number, order: (a: R, b: R) => number): R[][] {
  rows.sort((a, b) => a.hash - b.hash || order(a, b));
  const parts: R[][] = [];
  cut(rows, 0x8000_0000);
  return parts;

  /** @param bit the next one that tells these rows apart; below the last one nothing does. */
  function cut(range: R[], bit: number): void {
    if (range.length === 0) return;
    if (range.reduce((bytes, { size }) => bytes + size, 0) <= limit) parts.push(range);
    else if (bit < 1) halve(range);
    else {
      const found = range.findIndex(({ hash }) => Math.floor(hash / bit) % 2 === 1);
      const middle = found < 0 ? range.length : found;
      cut(range.slice(0, middle), bit / 2);
      cut(range.slice(middle), bit / 2);
    }
  }

  function halve(range: R[]): void {
    const middle = Math.ceil(range.length / 2);
    cut(range.slice(0, middle), 0.5);
    cut(range.slice(middle), 0.5);
  }
}

/** FNV-1a, then mixed as in MurmurHash3, since its high bits hardly change with a text's end. */
export function hashOf(text: string, seed = 0x811c9dc5): number {
  let hash = seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** 52 bits of hash, in at most 11 characters. */
export function longHashOf(text: string): string {
  return (hashOf(text) * 0x10_0000 + (hashOf(text, 0x1234567) >>> 12)).toString(36);
}

/** Bytes of a text in UTF-8; JSON's have no lone surrogates. */
export function bytesOf(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x80) bytes += code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 1 : 2;
  }
  return bytes;
}
