import type { Schema } from "./schema.ts";

/** The parts of a time in RFC 3339, as Go's layouts write them, and what may stand in their place. */
const DATE_AND_TIME: readonly [string, RegExp][] = [
  ["2006", /^\d{4}/],
  ["-", /^-/],
  ["01", /^\d\d/],
  ["-", /^-/],
  ["02", /^\d\d/],
  ["T", /^T/],
  ["15", /^\d\d/],
  [":", /^:/],
  ["04", /^\d\d/],
  [":", /^:/],
  ["05", /^\d\d(?=\D|$)/],
];
const ZONE: readonly [string, RegExp] = ["Z07:00", /^(?:Z|[+-]\d\d:\d\d)/];
const PARTS: Record<string, readonly (readonly [string, RegExp])[]> = {
  Time: [...DATE_AND_TIME, ["", /^(?:\.\d+)?/], ZONE],
  MicroTime: [...DATE_AND_TIME, [".000000", /^\.\d{6}/], ZONE],
};
/** The parts that have a largest value, and a smallest one where that is not 0. */
const RANGES: Record<string, [string, number, number]> = {
  "01": ["month", 1, 12],
  "15": ["hour", 0, 23],
  "04": ["minute", 0, 59],
  "05": ["second", 0, 59],
};

/** Whether a built-in kind's field is one of the API's two types of time. */
export function isGoTime(schema: Schema): schema is Schema & { goName: "Time" | "MicroTime" } {
  const { goName } = schema;
  return goName === "Time" || goName === "MicroTime";
}

/** What is wrong with a text as a time of this type, in Go's words; undefined where nothing is. */
export function goTimeError(text: string, type: "Time" | "MicroTime"): string | undefined {
  const parts = PARTS[type]!;
  const fail = (why: string) => `parsing time ${JSON.stringify(text)}${why}`;
  let rest = text;
  for (const [part, form] of parts) {
    const found = form.exec(rest)?.[0];
    if (found === undefined) {
      const layout = parts.map(([name]) => name).join("");
      return fail(` as "${layout}": cannot parse ${JSON.stringify(rest)} as ${JSON.stringify(part)}`);
    }
    const [name, least, most] = RANGES[part] ?? ["", 0, Number.POSITIVE_INFINITY];
    if (name && (Number(found) < least || Number(found) > most)) return fail(`: ${name} out of range`);
    rest = rest.slice(found.length);
  }
  if (rest) return fail(`: extra text: ${JSON.stringify(rest)}`);
  const day = Number(text.slice(8, 10));
  const days = new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0)).getUTCDate();
  return day < 1 || day > days ? fail(": day out of range") : undefined;
}

/** A time as the API writes it: in UTC, in whole seconds or microseconds. */
export function writtenTime(text: string, type: "Time" | "MicroTime"): string {
  if (goTimeError(text, type) !== undefined) return text;
  const seconds = new Date(text).toISOString().slice(0, 19);
  return type === "Time" ? `${seconds}Z` : `${seconds}${/\.\d{6}/.exec(text)![0]}Z`;
}
