import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Recorded } from "./case.ts";

/** What the real API server answered to a group of cases. */
export type Recordings = Record<string, Recorded[]>;

function fileOf(group: string): URL {
  return new URL(`recorded/${group}.json`, import.meta.url);
}

export function readRecordings(group: string): Recordings {
  const file = fileOf(group);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Recordings) : {};
}

/** One line an answer, so that a difference shows as one. */
export function writeRecordings(group: string, recordings: Recordings): void {
  const cases = Object.entries(recordings).map(([name, answers]) => {
    const lines = answers.map((answer) => `  ${JSON.stringify(answer)}`);
    return `${JSON.stringify(name)}: [\n${lines.join(",\n")}\n]`;
  });
  writeFileSync(fileOf(group), `{\n${cases.join(",\n")}\n}\n`);
}
