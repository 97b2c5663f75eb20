import type { Logger } from "../../../functions/ports/index.ts";
import { createJsonLogger, type LogLevel } from "../json-logger.ts";

/** One JSON object a line, which Workers Logs takes apart by its fields. */
export function workerLogger(level: LogLevel = "info", secrets: readonly string[] = []): Logger {
  // biome-ignore lint/suspicious/noConsole: it is where a Worker's log begins
  return createJsonLogger({ level, write: (line) => console.log(line), secrets });
}
