/**
 * A process whose files may not grow further than its shell has said, as on a full disk. Writes until that fails, then once
 * more with room again.
 * @module
 */
import { execFileSync } from "node:child_process";
import { openSqliteFile } from "../../adapters/sqlite/sqlite-file.ts";
import { recordingLogger } from "../support/recording-logger.ts";

const [path = ""] = process.argv.slice(2);
const file = await openSqliteFile(path, { logger: recordingLogger() });
const put = (key: number) => file.write([["put value", `${key}`, "x".repeat(10_000), 1]]);
let written = 0;
try {
  for (; ; written++) await put(written);
} catch (error) {
  console.log(String(error));
}
execFileSync("prlimit", ["--pid", String(process.pid), "--fsize=unlimited"]);
await put(written);
console.log(`written ${written + 1}`);
await file.close();
