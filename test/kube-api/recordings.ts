import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Recorded } from "./case.ts";

/** What the real API server answered to a group of cases. */
export type Recordings = Record<string, Recorded[]>;

/** One answer a line, so that a difference shows as one. */
type Line = { name: string; answer: Recorded };

function fileOf(group: string): URL {
  return new URL(`recorded/${group}.jsonl`, import.meta.url);
}

export function readRecordings(group: string): Recordings {
  const recordings: Recordings = {};
  if (!existsSync(fileOf(group))) return recordings;
  for (const line of readFileSync(fileOf(group), "utf8").split("\n").filter(Boolean)) {
    const { name, answer } = JSON.parse(line) as Line;
    recordings[name] = [...(recordings[name] ?? []), answer];
  }
  return recordings;
}

export function writeRecordings(group: string, recordings: Recordings): void {
  const lines = Object.entries(recordings).flatMap(([name, answers]) =>
    answers.map((answer) => JSON.stringify({ name, answer } satisfies Line)),
  );
  writeFileSync(fileOf(group), `${lines.join("\n")}\n`);
}
