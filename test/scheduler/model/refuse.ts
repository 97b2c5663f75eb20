import type { ReconcileAnswer } from "../../../functions/contract/index.ts";
import type { Refusal } from "../../../functions/ports/index.ts";
import { fail } from "./answer.ts";
import type { Key, Moment } from "./key.ts";
import type { Pause } from "./line.ts";

const LEAST_MS = 1_000;
const MOST_MS = 300_000;

/** S8: the function would not take the run. Returns what has to be noted. */
export function refuse(key: Key, refusal: Refusal, noAnswer: ReconcileAnswer, moment: Moment): string[] {
  const run = key.run!;
  const notes = isCounted(key, refusal, moment) ? count(key, noAnswer, moment) : pause(key, refusal, moment);
  if (key.lost > 0) moment.seen("S6 a refusal leaves a key as lost as it was");
  const stands = refusal.sent && !refusal.ours;
  key.run = stands ? { ...run, refused: true } : null;
  return notes;
}

/** Only when it was refused twice in a row with another key's success in between; a 429 never. */
function isCounted({ refused, line }: Key, { status }: Refusal, { seen }: Moment): boolean {
  if (refused === null || line.answeredStart <= refused.at) return false;
  if (status === 429) seen("S8 a 429 does not count, though another key succeeded in between");
  else seen("S8 a second refusal counts, where another key succeeded in between");
  return status !== 429;
}

function count(key: Key, noAnswer: ReconcileAnswer, moment: Moment): string[] {
  endProbe(key);
  if (noAnswer.outcome === "error") fail(key, noAnswer, moment, false);
  key.refused = { at: moment.now.at, pause: null };
  return [`refused again ${key.name}`];
}

/** The entry is as if the run had never been, but for what came meanwhile, and its line pauses. */
function pause(key: Key, { retryAfterMs, status }: Refusal, { now, seen }: Moment): string[] {
  const { line } = key;
  const run = key.run!;
  const before = line.pause;
  const isUnderWay = before !== null && before.probe !== run.lease;
  const inARow = (before?.inARow ?? 0) + (isUnderWay ? 0 : 1);
  const asked = retryAfterMs ?? LEAST_MS * 2 ** (inARow - 1);
  const until = now.at + Math.min(MOST_MS, Math.max(LEAST_MS, asked));
  const next: Pause = { until: isUnderWay ? Math.max(before.until, until) : until, inARow, probe: null };
  countPause(key, before, next, retryAfterMs, seen);
  key.wants = [...run.wants, ...key.wants];
  key.starts.pop();
  line.pause = next;
  key.refused = { at: now.at, pause: { until: next.until, inARow } };
  return isUnderWay ? [] : [`paused ${line.name} ${next.until - now.at} ${status ?? null}`];
}

function countPause(
  key: Key,
  before: Pause | null,
  next: Pause,
  asked: number | undefined,
  seen: Moment["seen"],
): void {
  seen("S8 a refusal pauses the line and restores the entry");
  if (key.wants.length > 0) seen("S8 what came during a refused run is merged with what the run took");
  if (key.refused) seen("S8 a second refusal does not count without another key's success in between");
  if (asked === undefined && next.inARow > 1) seen("S8 pauses in a row grow");
  else if (asked !== undefined && asked < LEAST_MS) seen("S8 a short Retry-After pauses for 1 s");
  else if (asked !== undefined && asked > MOST_MS) seen("S8 a long Retry-After pauses for 5 min");
  else if (asked !== undefined) seen("S8 a Retry-After sets the pause");
  if (before && before.inARow === next.inARow) seen("S8 a refusal of a run under way begins no other pause");
}

/** The function answered: its line is free again, if that was the probe. Returns what has to be noted. */
export function endPause({ line, run }: Key, { seen }: Moment): string[] {
  line.answeredStart = Math.max(line.answeredStart, run!.startedAt);
  if (line.pause === null) return [];
  if (line.pause.probe !== run!.lease) {
    seen("S8 an answer to a run under way ends no pause");
    return [];
  }
  seen("S8 an answer to the probe ends the pause");
  line.pause = null;
  return [`resumed ${line.name}`];
}

/** The run ended without a word of the function. */
export function endProbe({ line, run }: Key): void {
  if (line.pause?.probe === run!.lease) line.pause = { ...line.pause, probe: null };
}
