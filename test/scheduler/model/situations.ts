/**
 * What has to come up in the sequences, by rule. Each is counted where the model applies the rule; what the rule then says
 * is compared with the core in the same step, so a count is a number of checks that could have failed.
 */
export const SITUATIONS = [
  "S1 a trigger consumes a waiting requeue or retry",
  "S1 the live lane wins where the due time stays",
  "S1 reasons unite where the due time stays",
  "S2 a due key waits for its own run",
  "S2 several triggers during a run cause one more run",
  "S3 a commit that fails changes nothing",
  "S3 a commit that fails starts nothing",
  "S4 the wake-up is a due time",
  "S4 the wake-up is a pause's end",
  "S4 the wake-up is a lease's end while a cap or a run holds what is due",
  "S4 nothing to do, no wake-up",
  "S4 a wake-up makes progress",
  "S5 a lease ends without an answer",
  "S5 a late answer is discarded",
  "S5 a run ends with its process",
  "S6 a run at or after backoffUntil counts, whatever woke it",
  "S6 a run before backoffUntil does not count",
  "S6 an early failure moves neither count nor backoff",
  "S6 a first early run is spaced by base",
  "S6 further early runs are spaced by base × 2^k",
  "S6 a run that did not complete counts",
  "S6 an early run that did not complete does not count",
  "S7 success clears count and backoff",
  "S7 terminal clears count and backoff",
  "S7 gone clears count and backoff",
  "S7 a RetryAfterError sets the delay and counts",
  "S7 a RetryAfterError in an early run moves the backoff later",
  "S7 a RetryAfterError in an early run cannot move the backoff earlier",
  "S7 delays grow into a cap",
  "S7 three immediate requeues in a row run at once",
  "S7 further immediate requeues are spaced to one a second",
  "S8 a refusal pauses the controller and restores the entry",
  "S8 what came during a refused run is merged with what the run took",
  "S8 a Retry-After sets the pause",
  "S8 a short Retry-After pauses for 1 s",
  "S8 a long Retry-After pauses for 5 min",
  "S8 pauses in a row grow",
  "S8 a refusal of a run under way begins no other pause",
  "S8 a pause holds a key that may start",
  "S8 another key probes first",
  "S8 where all were refused, the one of the longest ago probes",
  "S8 an answer to the probe ends the pause",
  "S8 an answer to a run under way ends no pause",
  "S8 a probe ends without an answer",
  "S8 a lease that stands ends without a failure",
  "S8 an answer after a refusal is discarded",
  "S8 a second refusal counts, where another key succeeded in between",
  "S8 a second refusal does not count without another key's success in between",
  "S8 a 429 does not count, though another key succeeded in between",
  "S9 a requeue is cut at 180 days",
  "S9 a retry is cut at 180 days",
  "S9 what is due beyond a 32 bit timer wakes nobody before",
  "S10 a later trigger does not move the window",
  "S10 triggers within the window run once",
  "S10 debounce does not delay a requeue",
  "S10 debounce does not delay an error retry",
  "S11 a live key starts before those of the resync lane",
  "S11 after four live keys one of the resync lane starts",
  "S11 a key that turned live waits at the tail of the live lane",
  "S12 a full cap holds a key that may start",
  "S12 a held key starts once a run has ended",
  "S13 gone removes the entry",
  "S13 a trigger during a run survives its gone",
  "S13 another uid that fails is a first failure",
  "S13 another uid that fails in an early run is a first failure",
  "S13 another uid that succeeds is remembered",
  "S14 a waiting entry survives a reload",
  "S14 a backoff survives a reload",
  "S14 a lease survives a reload",
  "S14 a pause survives a reload",
  "S15 a request carries the count",
  "S15 a request carries 0 without an entry, after failures",
  "S17 an entry is parked",
  "S17 a parked entry starts nothing, though it is due",
  "S17 a parked entry runs once its controller is declared again",
  "S17 a parked entry is deleted after 30 days",
  "S17 a parked entry is deleted by command",
  "S17 a run of a controller that is not declared is settled",
  "S18 the wall clock steps back, logical time does not",
  "S18 the wall clock steps beyond a lease, the lease stands",
  "S18 a wall clock behind the rows is made up for at load",
  "S19 a key that starts too often is named",
  "S19 a key over its budget starts once in 5 s",
  "S19 a key that is still held stays spaced below its budget",
  "S19 a key is free again after a minute without need",
] as const;

export type Situation = (typeof SITUATIONS)[number];
export type Seen = (situation: Situation) => void;

/** Counts situations; {@link SituationCounter.rules} sums them up by rule. */
export class SituationCounter {
  readonly counts = new Map<Situation, number>(SITUATIONS.map((situation) => [situation, 0]));
  readonly seen: Seen = (situation) => void this.counts.set(situation, this.counts.get(situation)! + 1);

  below(least: number): string[] {
    return [...this.counts].filter(([, count]) => count < least).map(([situation, count]) => `${situation}: ${count}`);
  }

  rules(): Map<string, number> {
    const rules = new Map<string, number>();
    for (const [situation, count] of this.counts) {
      const rule = situation.slice(0, situation.indexOf(" "));
      rules.set(rule, (rules.get(rule) ?? 0) + count);
    }
    return rules;
  }
}
