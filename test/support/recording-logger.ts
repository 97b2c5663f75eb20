import type { LogFields, Logger } from "../../functions/ports/index.ts";

export type LogLine = { level: "debug" | "info" | "warn" | "error"; message: string; fields?: LogFields };

/** A logger that keeps its lines for a test to look at. */
export function recordingLogger(lines: LogLine[] = [], base: LogFields = {}): Logger & { lines: LogLine[] } {
  const at = (level: LogLine["level"]) => (message: string, fields?: LogFields) => {
    lines.push({ level, message, fields: { ...base, ...fields } });
  };
  return {
    lines,
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    with: (fields) => recordingLogger(lines, { ...base, ...fields }),
  };
}
