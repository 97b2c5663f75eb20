import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSqliteKeyValue } from "../../adapters/kv/sqlite.ts";
import { openSqliteFile, type SqliteFile } from "../../adapters/sqlite/sqlite-file.ts";
import type { Clock } from "../../functions/ports/index.ts";
import { recordingLogger } from "../support/recording-logger.ts";
import { testKeyValue } from "./kv.case.ts";

testKeyValue(
  () => {
    const folder = mkdtempSync(join(tmpdir(), "sluice-kv-"));
    let file: SqliteFile | undefined;
    const open = async (clock: Clock) => {
      await file?.close();
      file = await openSqliteFile(join(folder, "sluice.db"), { logger: recordingLogger() });
      return createSqliteKeyValue(file, clock);
    };
    return {
      open,
      reopen: open,
      async cleanUp() {
        await file?.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
  { durable: true, stalenessMs: 0 },
);
