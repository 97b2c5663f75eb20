/**
 * A process that is killed after the nth statement of its file: accepts batches of triggers and keeps values, and prints
 * what was acknowledged.
 * @module
 */
import { writeSync } from "node:fs";
import { createSqliteKeyValue } from "../../adapters/kv/sqlite.ts";
import { systemClock } from "../../adapters/runtime/system-clock.ts";
import { createSqliteScheduler } from "../../adapters/scheduler/sqlite.ts";
import { openSqliteFile } from "../../adapters/sqlite/sqlite-file.ts";
import { schedulingOptions } from "../../functions/contract/index.ts";
import { recordingLogger } from "../support/recording-logger.ts";
import { CLUSTER, CONTROLLER, success, triggerOf } from "../support/shard.ts";
import { SteppedThread } from "./steps.ts";

const [path = "", killAfter] = process.argv.slice(2);
const logger = recordingLogger();
const thread = new SteppedThread({ killAfter: Number(killAfter) });
const file = await openSqliteFile(path, { logger, thread: thread.url });
const kv = createSqliteKeyValue(file, systemClock);
const scheduler = await createSqliteScheduler(file, {
  controllers: new Map([[CONTROLLER, schedulingOptions.parse({ debounceMs: 60_000 })]]),
  clusters: new Set([CLUSTER]),
  clock: systemClock,
  logger,
  invoker: { invoke: async () => success },
});
const acknowledged = (what: string) => writeSync(1, `${what}\n`);
for (const round of ["1", "2"]) {
  const accepted = scheduler.accept(CLUSTER, [triggerOf(`left-${round}`), triggerOf(`right-${round}`)]);
  const kept = kv.set(`value-${round}`, round, { expireInMs: 60_000 });
  await Promise.all([accepted.then(() => acknowledged(round)), kept.then(() => acknowledged(`value-${round}`))]);
}
await scheduler.close();
await file.close();
