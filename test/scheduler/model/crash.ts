import type { ReconcileAnswer } from "../../../functions/contract/index.ts";
import { answer } from "./answer.ts";
import type { Key, Moment } from "./key.ts";
import { endProbe } from "./refuse.ts";

/** S6: a run that was lost with its process. Only the second one in a row counts. Returns what has to be noted. */
export function crash(key: Key, noAnswer: ReconcileAnswer, moment: Moment): string[] {
  const { lost } = key;
  endProbe(key);
  if (lost === 0) {
    moment.seen("S6 a run lost with its process is restored whole");
    restore(key, moment);
  } else {
    moment.seen(
      `S6 a key that is lost twice in a row fails${key.run!.counts ? "" : ", in an early run without counting"}`,
    );
    answer(key, noAnswer, moment, false);
  }
  key.lost = lost + 1;
  return [`crashed ${key.name} ${lost > 0}`];
}

/** S6: a run that an orderly stop cut off, or that was never sent. */
export function cut(key: Key, moment: Moment): void {
  endProbe(key);
  moment.seen("S6 a run cut by an orderly stop is restored whole");
  if (key.lost > 0) moment.seen("S6 a run cut by an orderly stop leaves a key as lost as it was");
  restore(key, moment);
}

/** S6: the entry is as if the run had never been, but for what came meanwhile. It was no start either (S19). */
function restore(key: Key, { seen }: Moment): void {
  const { run } = key;
  if (key.wants.length > 0) seen("S6 what came during a run that was lost or cut is merged with what the run took");
  if (!run!.counts) seen("S6 a run that was lost or cut changes no backoff");
  key.wants = [...run!.wants, ...key.wants];
  key.starts.pop();
  key.run = null;
}
