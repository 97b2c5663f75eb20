import { errorText, withoutSecrets } from "../../functions/controller/error-text.ts";
import type { LogFields, Logger } from "../../functions/ports/index.ts";

const LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LEVELS)[number];

/**
 * One JSON object a line: `time`, `level`, `message`, then the fields. Texts that must be in no log are blotted out (X4).
 * @param write takes a line without its end.
 */
export function createJsonLogger(options: {
  level: LogLevel;
  write: (line: string) => void;
  /** Looked at with every line, so that one that becomes known later is hidden too. */
  secrets?: readonly string[];
}): Logger {
  const { secrets = [] } = options;
  const least = LEVELS.indexOf(options.level);
  const logger = (base: LogFields): Logger => {
    const at = (level: LogLevel) => (message: string, fields?: LogFields) => {
      if (LEVELS.indexOf(level) < least) return;
      const head = { time: new Date().toISOString(), level, message };
      // What a line is of stands, whatever fields a user gives.
      const line = textOf(Object.assign({}, head, fields, base, head), { ...head, ...base });
      options.write(withoutSecrets(line, secrets));
    };
    return {
      debug: at("debug"),
      info: at("info"),
      warn: at("warn"),
      error: at("error"),
      with: (fields) => logger({ ...base, ...fields }),
    };
  };
  return logger({});
}

/** A field that is no JSON (a cycle) costs the fields, never the run that logs it. */
function textOf(line: object, withoutFields: object): string {
  try {
    return JSON.stringify(line, asJson);
  } catch {
    return JSON.stringify({ ...withoutFields, fields: "not serializable" }, asJson);
  }
}

/** JSON knows no bigint, and nothing of an error. */
function asJson(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  return value instanceof Error ? errorText(value, []) : value;
}
