import type { ObjectStorage } from "../../adapters/cloudflare-platform.ts";
import { ALARM_GRAIN_MS } from "../../adapters/scheduler/alarm-clock.ts";
import type { openDurableObjectScheduler } from "../../adapters/scheduler/durable-object.ts";
import { createVirtualClock } from "../../adapters/testing/virtual-clock.ts";
import { type ReconcileAnswer, type ReconcileRequest, schedulingOptions } from "../../functions/contract/index.ts";
import type { Clock } from "../../functions/ports/index.ts";
import { recordingLogger } from "../support/recording-logger.ts";
import { CONTROLLER, failure, requeue, success, triggerOf } from "../support/shard.ts";
import { ObjectUnderTest } from "./object-under-test.ts";

export type Load = {
  /** Keys that come together. */
  wave: number;
  from: "trigger" | "due time";
  outcome: "await change" | "requeue" | "error";
  /** Over how long the answers of a wave come, at random, and what they ask for is due; retries with the default jitter. */
  spreadMs?: number;
  /** Default: the alarm's own. */
  grainMs?: number;
};

export type Written = {
  load: Load;
  reconciles: number;
  /** Of tables, and settings of the alarm. */
  rows: number;
  /** How long after its due time a run started, on average and at most. */
  late: { meanMs: number; mostMs: number };
  /** Calls of the object: batches of triggers, and alarms that fired. */
  objectRequests: number;
  batches: number;
};

const ROUNDS = 10;
const MINUTE_MS = 60_000;
/** Rounds are this far apart: what a round leaves behind, such as an alarm that is not needed any more, counts as its own. */
const ROUND_MS = 5 * MINUTE_MS;

/** What the rounds of a load write into an object's storage, all that the platform bills as a row. In virtual time. */
export async function measureRows(
  storage: ObjectStorage,
  create: typeof openDurableObjectScheduler,
  load: Load,
): Promise<Written> {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const counted = counting(storage);
  const object = new ObjectUnderTest(counted.storage, create);
  const { wave, from, outcome, spreadMs = 0, grainMs = ALARM_GRAIN_MS } = load;
  const backoff = { baseMs: ROUND_MS, maxMs: ROUND_MS, ...(spreadMs === 0 && { jitter: 0 }) };
  const after = sharedTimers(clock);
  const random = randomNumbers();
  const begun = clock.now();
  /** Within the spread after the next round begins, whenever in this one it is asked for. */
  const untilDueMs = () => {
    const sinceRoundMs = (clock.now() - begun) % ROUND_MS;
    return ROUND_MS + (spreadMs > 0 ? Math.floor(random() * spreadMs) - sinceRoundMs : 0);
  };
  const dueAt = new Map<string, number>();
  const late: number[] = [];
  let settling = outcome;
  let reconciles = 0;
  const scheduler = object.open(
    {
      controllers: new Map([[CONTROLLER, schedulingOptions.parse({ concurrency: 1_000, backoff })]]),
      clusters: new Set(["home"]),
      clock,
      logger: recordingLogger(),
      invoker: {
        invoke({ key }: ReconcileRequest) {
          reconciles++;
          const due = dueAt.get(key.name);
          if (due !== undefined) late.push(clock.now() - due);
          const settle = settling;
          return after(100 + Math.floor(random() * spreadMs)).then(() => {
            const requeueMs = untilDueMs();
            if (settle === "requeue") dueAt.set(key.name, clock.now() + requeueMs);
            return answerOf(settle, requeueMs);
          });
        },
      },
    },
    { startsPerEvent: 1_000, grainMs },
  );
  const batch = (round: number) => Array.from({ length: wave }, (_, at) => triggerOf(`${"abcdefghijk"[round]}${at}`));

  if (from === "due time") {
    settling = outcome === "error" ? "error" : "requeue";
    await scheduler.accept("home", batch(0));
    await clock.advance(ROUND_MS - MINUTE_MS);
    settling = outcome;
  }
  counted.reset();
  object.alarm.sets = 0;
  object.alarm.fires = 0;
  reconciles = 0;
  late.length = 0;
  let batches = 0;
  if (from === "trigger")
    for (let round = 0; round < ROUNDS; round++) {
      batches++;
      await scheduler.accept("home", batch(round));
      await clock.advance(4 * MINUTE_MS); // before they are due again
      if (outcome !== "await change") break; // what was requeued would come due among the next ones
    }
  // Of keys that then wait for a change there is one round only.
  else await clock.advance(outcome === "await change" ? ROUND_MS : ROUNDS * ROUND_MS);
  const { sets, fires } = object.alarm;
  object.crash();
  const lateness = { meanMs: late.reduce((sum, ms) => sum + ms, 0) / (late.length || 1), mostMs: Math.max(0, ...late) };
  return { load, reconciles, rows: counted.rows() + sets, late: lateness, objectRequests: batches + fires, batches };
}

/** One timer for all that wait for the same instant: a virtual clock takes its time over each. */
function sharedTimers(clock: Clock): (delayMs: number) => Promise<void> {
  const timers = new Map<number, Promise<void>>();
  return (delayMs) => {
    const at = clock.monotonic() + delayMs;
    const timer = timers.get(at) ?? new Promise<void>((resolve) => clock.setTimer(delayMs, resolve));
    timers.set(at, timer);
    return timer;
  };
}

/** Numbers from 0 to 1, the same ones each time. */
function randomNumbers(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function answerOf(outcome: Load["outcome"], requeueMs: number): ReconcileAnswer {
  if (outcome === "error") return failure();
  return outcome === "requeue" ? requeue(requeueMs) : success;
}

/** A storage whose cursors are added up. */
function counting(storage: ObjectStorage) {
  const cursors: { rowsWritten: number }[] = [];
  const counted: ObjectStorage = {
    sql: {
      exec(query, ...bindings) {
        const cursor = storage.sql.exec(query, ...bindings);
        cursors.push(cursor);
        return cursor;
      },
    },
    transactionSync: (work) => storage.transactionSync(work),
    sync: () => storage.sync(),
    deleteAll: () => storage.deleteAll(),
    deleteAlarm: () => storage.deleteAlarm(),
    getAlarm: () => storage.getAlarm(),
    setAlarm: (at) => storage.setAlarm(at),
  };
  return {
    storage: counted,
    rows: () => cursors.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0),
    reset: () => void cursors.splice(0),
  };
}
