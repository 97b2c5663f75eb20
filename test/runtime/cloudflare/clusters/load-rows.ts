/**
 * Opens the rows of an object as its scheduler does, on Node with a heap as small as an object's: `load-rows.ts FILE`. Prints
 * how many keys it holds.
 * @module
 */
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type { ObjectStorage } from "../../../../adapters/cloudflare-platform.ts";
import { systemClock } from "../../../../adapters/runtime/system-clock.ts";
import { createAlarmClock } from "../../../../adapters/scheduler/alarm-clock.ts";
import { openDurableObjectScheduler } from "../../../../adapters/scheduler/durable-object.ts";
import { schedulingOptions } from "../../../../functions/contract/index.ts";
import { recordingLogger } from "../../../support/recording-logger.ts";

const database = new DatabaseSync(process.argv[2]!);

/** The statements of the store, on SQLite itself. */
const storage: ObjectStorage = {
  sql: {
    exec(query, ...bindings) {
      const rows = function* () {
        for (const row of database.prepare(query).iterate(...(bindings as SQLInputValue[]))) yield Object.values(row);
      };
      return { raw: rows, rowsWritten: 0 };
    },
  },
  transactionSync: (work) => work(),
  sync: async () => {},
  deleteAll: async () => {},
  deleteAlarm: async () => {},
  getAlarm: async () => null,
  setAlarm: async () => {},
};

const scheduler = openDurableObjectScheduler(storage, (cluster) => ({
  controllers: new Map([["tasks", schedulingOptions.parse({})]]),
  clusters: new Set([cluster]),
  clock: createAlarmClock(systemClock, () => {}, null),
  logger: recordingLogger(),
  invoker: { invoke: () => new Promise(() => {}) },
  startsPerEvent: 25,
}));
console.log(scheduler!.size().entries);
