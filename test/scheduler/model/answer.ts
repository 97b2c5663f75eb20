import { MAX_DELAY_MS, type ReconcileAnswer } from "../../../functions/contract/index.ts";
import { exists, type Key, lastStart, type Moment, type Queue } from "./key.ts";

type Success = Extract<ReconcileAnswer, { outcome: "success" }>;
type Failure = Extract<ReconcileAnswer, { outcome: "error" }>;

/** S11: from then on a requeue or a retry waits behind no live change, and holds back none. */
const MINUTE_MS = 60_000;

/** S7: a union by outcome. Ends the key's run; what is wanted meanwhile stays wanted (S2). */
export function answer(key: Key, given: ReconcileAnswer, moment: Moment, completed = true): void {
  key.refused = null; // S8: it was not refused again
  if (key.lost > 0 && completed) moment.seen("S6 an answer ends that a key is lost");
  key.lost = 0;
  if (given.outcome === "error") fail(key, given, moment, completed);
  else {
    clear(key, given, moment);
    if (given.outcome === "success" && "requeueAfterMs" in given.action) requeue(key, given.action, moment);
    else key.immediates = 0;
  }
  key.run = null;
  if (!exists(key)) key.uid = undefined; // S13: it is the entry's
}

/** S7: success, terminal and gone clear the count and the backoff. S13: gone leaves nothing, whatever came may stay. */
function clear(key: Key, given: Exclude<ReconcileAnswer, Failure>, { seen }: Moment): void {
  if (key.failures > 0) seen(`S7 ${given.outcome} clears count and backoff`);
  key.failures = 0;
  key.backoffUntil = null;
  key.earlyFailures = 0;
  if (given.outcome === "gone") {
    seen(key.wants.length > 0 ? "S13 a trigger during a run survives its gone" : "S13 gone removes the entry");
    key.uid = undefined;
    return;
  }
  if (isRecreated(key, given) && given.outcome === "success" && willExist(key, given))
    seen("S13 another uid that succeeds is remembered");
  key.uid = given.observed?.uid ?? key.uid;
}

/** S7, S9, S10: the key's own Action, which no debounce delays. More than three immediate ones in a row are spaced. */
function requeue(key: Key, { requeueAfterMs }: { requeueAfterMs: number }, moment: Moment): void {
  const { now, seen } = moment;
  let due = now.at + cut(requeueAfterMs);
  if (requeueAfterMs > MAX_DELAY_MS) seen("S9 a requeue is cut at 180 days");
  if (key.line.options.debounceMs > 0) seen("S10 debounce does not delay a requeue");
  key.immediates = requeueAfterMs < 1_000 ? key.immediates + 1 : 0;
  if (key.immediates > 3) {
    if (due < lastStart(key) + 1_000) seen("S7 further immediate requeues are spaced to one a second");
    due = Math.max(due, lastStart(key) + 1_000);
  } else if (key.immediates === 3) seen("S7 three immediate requeues in a row run at once");
  wantAgain(key, due, "requeue", moment);
}

/** S11: it keeps the lane of its run, but for one of a minute or longer, which is a timer. */
function wantAgain(key: Key, due: number, reason: "requeue" | "error-retry", { now, seen }: Moment): void {
  const isLive = key.run!.queue === "live";
  const queue: Queue = isLive && due - now.at < MINUTE_MS ? "live" : "timer";
  if (queue === "live") seen("S11 a requeue or retry within a minute keeps the lane of its live run");
  else if (isLive) seen("S11 a requeue or retry of a live run is a timer from a minute on");
  else seen("S11 a requeue or retry of a run of the resync lane is a timer");
  key.wants.push({ at: now.at, due, queue, reason, trigger: false, duringRun: false });
}

/** S6, S7, S13: a failure. `completed` is false where the scheduler had to make the answer up. */
export function fail(key: Key, given: Failure, moment: Moment, completed: boolean): void {
  const run = key.run!;
  if (isRecreated(key, given)) {
    moment.seen(`S13 another uid that fails ${run.counts ? "" : "in an early run "}is a first failure`);
    key.failures = 0;
    countedFailure(key, given, moment);
  } else if (run.counts) {
    if (!completed) moment.seen("S6 a run that did not complete counts");
    countedFailure(key, given, moment);
  } else {
    if (!completed) moment.seen("S6 an early run that did not complete does not count");
    earlyFailure(key, given, moment);
  }
  key.hasFailed = true;
  key.immediates = 0;
  key.uid = given.observed?.uid ?? key.uid;
  if (key.line.options.debounceMs > 0) moment.seen("S10 debounce does not delay an error retry");
  wantAgain(key, key.backoffUntil!, "error-retry", moment);
}

/** S6, S7: it moves the count by one and sets the backoff: the time it asked for, or base × factor^failures up to a cap. */
function countedFailure(key: Key, { retryAfterMs }: Failure, { now, random, seen }: Moment): void {
  if (retryAfterMs !== undefined) {
    seen("S7 a RetryAfterError sets the delay and counts");
    if (retryAfterMs > MAX_DELAY_MS) seen("S9 a retry is cut at 180 days");
    key.backoffUntil = now.at + cut(retryAfterMs);
  } else {
    const { baseMs, factor, maxMs, jitter } = key.line.options.backoff;
    const grown = baseMs * factor ** key.failures;
    if (grown > maxMs) seen("S7 delays grow into a cap");
    const spread = 1 - jitter + 2 * jitter * random;
    key.backoffUntil = now.at + Math.round(Math.min(grown, maxMs) * spread);
  }
  key.failures += 1;
  key.earlyFailures = 0;
}

/** S6, S7: an early run's failure can only move the backoff later, and makes further early runs rarer. */
function earlyFailure(key: Key, { retryAfterMs }: Failure, { now, seen }: Moment): void {
  const asked = retryAfterMs === undefined ? undefined : now.at + cut(retryAfterMs);
  if (asked === undefined) seen("S6 an early failure moves neither count nor backoff");
  else if (asked <= key.backoffUntil!) seen("S7 a RetryAfterError in an early run cannot move the backoff earlier");
  else {
    seen("S7 a RetryAfterError in an early run moves the backoff later");
    key.backoffUntil = asked;
  }
  key.earlyFailures += 1;
}

/** S13: the run saw another uid than its request named. */
function isRecreated({ run }: Key, { observed }: ReconcileAnswer): boolean {
  return observed !== undefined && run!.uid !== undefined && observed.uid !== run!.uid;
}

const willExist = (key: Key, { action }: Success) => key.wants.length > 0 || "requeueAfterMs" in action;

/** S9: delays are 0 to 180 days. */
const cut = (delayMs: number) => Math.min(delayMs, MAX_DELAY_MS);
