import { keyOf } from "../../functions/contract/index.ts";
import type { LogFields, Logger } from "../../functions/ports/index.ts";
import type { Note } from "./notes.ts";

/** What a step noted, as a line for people. */
export function logNote(logger: Logger, note: Note): void {
  const { type, ...about } = note;
  const fields: LogFields = "ref" in about ? { ...about, ref: undefined, key: keyOf(about.ref) } : about;
  const [level, message] = LINES[type];
  logger[level](message, fields);
}

const LINES: Record<Note["type"], ["info" | "warn", message: string]> = {
  "over budget": ["warn", "a key is over its budget and runs once in 5 s"],
  "lease ended": ["warn", "a run gave no answer before its lease ended"],
  "late answer": ["warn", "an answer came after its lease had ended"],
  "refused again": ["warn", "a key was refused again while others were not, and counts as failed"],
  crashed: ["warn", "a run was lost with its process"],
  paused: ["warn", "a function refuses runs, its line pauses"],
  resumed: ["info", "a function accepts runs again"],
  parked: ["warn", "a controller or its cluster is no longer declared, its entries are kept for 30 days"],
  deleted: ["info", "parked entries were deleted"],
  full: ["warn", "the scheduler holds as many keys as it can load, and refuses new ones"],
};
