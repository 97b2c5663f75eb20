import { createSqliteScheduler } from "../../adapters/scheduler/sqlite.ts";
import { openSqliteFile, type SqliteFile } from "../../adapters/sqlite/sqlite-file.ts";
import { settlingFile, temporaryPaths } from "../sqlite/files.ts";
import { recordingLogger } from "../support/recording-logger.ts";
import { testScheduler } from "./scheduler.case.ts";

const newPath = temporaryPaths();

testScheduler(
  () => {
    const path = newPath();
    let open: SqliteFile | undefined;
    // What is committed is what was acknowledged before: a scheduler that is not closed writes nothing more.
    const crash = async () => {
      await open?.close();
      open = undefined;
    };
    return {
      open: async (options) => {
        open = settlingFile(await openSqliteFile(path, { logger: recordingLogger() }));
        return createSqliteScheduler(open, options);
      },
      crash,
      cleanUp: crash,
    };
  },
  { durable: true, timer: "platform" },
);
