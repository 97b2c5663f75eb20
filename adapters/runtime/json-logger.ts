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
      const line = textOf({ time: new Date().toISOString(), level, message, ...base, ...fields });
      const hide = (text: string, secret: string) => (secret === "" ? text : text.replaceAll(secret, "[secret]"));
      options.write(secrets.reduce(hide, line));
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

/** A field that is no JSON (a cycle, a bigint) costs the fields, never the run that logs it. */
function textOf(line: { time: string; level: string; message: string }): string {
  try {
    return JSON.stringify(line);
  } catch {
    const { time, level, message } = line;
    return JSON.stringify({ time, level, message, fields: "not serializable" });
  }
}
