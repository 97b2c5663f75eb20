import { keyOf } from "../../functions/contract/index.ts";
import type { LogFields, Logger } from "../../functions/ports/index.ts";
import type { Note } from "./core.ts";

/** What a step noted, as a line for people. */
export function logNote(logger: Logger, note: Note): void {
  const [level, message, fields] = lineOf(note);
  logger[level](message, fields);
}

function lineOf(note: Note): ["info" | "warn", message: string, LogFields] {
  const { type, ...about } = note;
  const fields: LogFields = "ref" in about ? { ...about, ref: undefined, key: keyOf(about.ref) } : about;
  switch (type) {
    case "over budget":
      return ["warn", "a key is over its budget and runs once in 5 s", fields];
    case "lease ended":
      return ["warn", "a run gave no answer before its lease ended", fields];
    case "late answer":
      return ["warn", "an answer came after its lease had ended", fields];
    case "refused again":
      return ["warn", "a key was refused again while others were not, and counts as failed", fields];
    case "paused":
      return ["warn", "a function refuses runs, its controller pauses", fields];
    case "resumed":
      return ["info", "a function takes runs again", fields];
    case "parked":
      return ["warn", "a controller is not declared any more, its entries are kept for 30 days", fields];
    case "deleted":
      return ["info", "entries of a controller that is not declared were deleted", fields];
  }
}
