import { MAX_DELAY_MS } from "../contract/index.ts";

/** A length of time with its units: `"5m"`, `"1h30m"`, `"250ms"`, or `{ minutes: 5 }`. Never a bare number. */
export type Duration =
  | string
  | { days?: number; hours?: number; minutes?: number; seconds?: number; milliseconds?: number };

const UNITS_MS = { days: 86_400_000, hours: 3_600_000, minutes: 60_000, seconds: 1_000, milliseconds: 1 } as const;
type Unit = keyof typeof UNITS_MS;
const UNITS = Object.keys(UNITS_MS) as Unit[];

const TEXT = new RegExp(`^${["d", "h", "m", "s", "ms"].map((unit) => `(?:(\\d+(?:\\.\\d+)?)${unit})?`).join("")}$`);

/**
 * A duration in milliseconds, rounded to a whole one. Longer ones than 180 days are cut to that (S9).
 * @param path names the value in errors.
 * @throws TypeError for another form, RangeError for a negative, infinite or missing number.
 * @example toMs("1h30m") // 5400000
 */
export function toMs(duration: Duration, path = "duration"): number {
  const parts = typeof duration === "string" ? partsOfText(duration, path) : partsOfObject(duration, path);
  let sum = 0;
  for (const [unit, amount] of parts) {
    if (typeof amount !== "number" || !(amount >= 0) || amount === Number.POSITIVE_INFINITY)
      throw new RangeError(`${path}: ${unit} must be a finite number, at least 0, not ${show(amount)}`);
    sum += amount * UNITS_MS[unit];
  }
  return Math.min(Math.round(sum), MAX_DELAY_MS);
}

function partsOfText(text: string, path: string): [Unit, number][] {
  const amounts = TEXT.exec(text)?.slice(1) ?? [];
  const parts = UNITS.flatMap((unit, at): [Unit, number][] => {
    const amount = amounts[at];
    return amount === undefined ? [] : [[unit, Number(amount)]];
  });
  if (parts.length === 0)
    throw new TypeError(`${path}: must be like "5m" or "1h30m" (d, h, m, s, ms, in this order), not ${show(text)}`);
  return parts;
}

function partsOfObject(duration: Exclude<Duration, string>, path: string): [Unit, unknown][] {
  if (typeof duration !== "object" || duration === null || Array.isArray(duration))
    throw new TypeError(`${path}: must be like "5m" or { minutes: 5 }, not ${show(duration)}`);
  const parts = Object.entries(duration) as [Unit, unknown][];
  const known = UNITS.join(", ");
  if (parts.length === 0) throw new TypeError(`${path}: names no unit; known are ${known}`);
  for (const [unit] of parts)
    if (!UNITS.includes(unit)) throw new TypeError(`${path}: ${show(unit)} is no unit; known are ${known}`);
  return parts;
}

function show(value: unknown): string {
  // The text of an object is its own affair, and may throw.
  if (typeof value === "function" || (typeof value === "object" && value !== null))
    return Array.isArray(value) ? "a list" : `a ${typeof value}`;
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
