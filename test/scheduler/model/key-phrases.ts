/** What leads to the deep states of a key. */
import fc from "fast-check";
import {
  anyAnswer,
  anyTrigger,
  awaiting,
  failing,
  gone,
  KEYS,
  NARROW,
  requeueing,
  terminal,
  WIDE,
} from "./commands.ts";
import { answerOf, observing, offer, pass, times, triggered, triggerOf, untilRuns } from "./offers.ts";

const anyRef = fc.constantFrom(...KEYS);

/** Every key of a controller at once: a full cap with others waiting (S12). */
export const crowd = fc
  .constantFrom(NARROW, WIDE)
  .map((refs) => [
    offer(...refs.map((ref) => triggerOf(ref))),
    ...refs.flatMap((ref) => triggered(ref, awaiting).slice(1)),
  ]);

/** Failure after failure (S6, S7). */
export const failures = fc
  .tuple(anyRef, fc.integer({ min: 2, max: 6 }))
  .map(([ref, count]) => [offer(triggerOf(ref)), ...times(count, [untilRuns(ref), offer(answerOf(ref, failing()))])]);

/** A long backoff, and events during it (S6, S7, S13). */
const earlyAnswer = fc.oneof(fc.constantFrom(failing(), failing(), failing(1_000), failing(900_000)), anyAnswer);
export const earlyRuns = fc
  .tuple(anyRef, fc.constantFrom(30_000, 600_000), fc.array(earlyAnswer, { minLength: 1, maxLength: 5 }))
  .map(([ref, delayMs, answers]) => [failing(delayMs), ...answers].flatMap((answer) => triggered(ref, answer)));

/** An object that was deleted and created again between two runs, with or without a backoff of its predecessor (S13). */
export const recreations = fc
  .tuple(
    anyRef,
    fc.constantFrom(failing(30_000), failing(), requeueing(5_000)),
    fc.constantFrom(failing(), failing(4_000), requeueing(5_000)),
  )
  .map(([ref, before, after]) => [
    ...triggered(ref, observing("uid-1", before)),
    ...triggered(ref, observing("uid-2", after)),
    untilRuns(ref),
  ]);

/** Immediate requeues in a row, now and then with an event or another answer between them (S7). */
const immediate = [0, 0, 0, 400, 999].map(requeueing);
export const requeues = fc
  .tuple(
    anyRef,
    fc.array(
      fc.tuple(
        fc.constantFrom(...immediate, ...immediate, requeueing(1_000), awaiting, failing(0)),
        fc.nat({ max: 4 }),
      ),
      { minLength: 4, maxLength: 8 },
    ),
  )
  .map(([ref, answers]) => [
    offer(triggerOf(ref)),
    ...answers.flatMap(([answer, chance]) => [
      ...[untilRuns(ref), offer(...(chance === 0 ? [triggerOf(ref)] : []), answerOf(ref, answer))],
    ]),
  ]);

/** Several events while a key runs (S2, S13). */
export const duringRun = fc
  .tuple(
    anyRef,
    fc.array(anyTrigger([...NARROW, ...WIDE]), { minLength: 1, maxLength: 3 }),
    fc.oneof(fc.constantFrom(gone, terminal), anyAnswer),
  )
  .map(([ref, others, answer]) => [
    ...[offer(triggerOf(ref)), untilRuns(ref), offer(triggerOf(ref)), offer(triggerOf(ref), ...others)],
    ...[offer(answerOf(ref, answer)), untilRuns(ref)],
  ]);

/** Triggers within the window of the first one (S10). */
export const window = fc
  .tuple(fc.constantFrom(...WIDE), fc.array(fc.constantFrom(1, 200, 400), { minLength: 1, maxLength: 3 }))
  .map(([ref, gaps]) => [
    ...[offer(triggerOf(ref)), ...gaps.flatMap((ms) => [pass(ms), offer(triggerOf(ref))])],
    ...[untilRuns(ref), offer(answerOf(ref, awaiting))],
  ]);

/**
 * A key that starts again and again, until it is over its budget, and is left alone for a while then (S19). One of its runs
 * may be lost, and was none.
 */
export const storm = fc
  .tuple(
    fc.constantFrom(...NARROW),
    fc.integer({ min: 5, max: 8 }),
    fc.constantFrom(0, 40_000, 59_000, 62_000),
    fc.constantFrom(4, 4, undefined),
  )
  .map(([ref, count, restMs, lostAt]) => [
    ...Array.from({ length: count }, (_, i) => [
      offer(triggerOf(ref)),
      ...(i === lostAt ? [offer({ offer: "crashed" as const, run: ref })] : []),
      ...[offer(answerOf(ref, awaiting)), pass(2_000)],
    ]).flat(),
    ...[pass(restMs), ...triggered(ref, awaiting), ...triggered(ref, awaiting)],
  ]);

/** Over its budget, then quieter than the budget, yet held each time: it stays spaced (S19). */
export const longStorm = fc
  .tuple(fc.constantFrom(...WIDE), fc.integer({ min: 4, max: 6 }))
  .map(([ref, count]) => [
    ...times(13, [offer(triggerOf(ref)), pass(1_000), offer(answerOf(ref, awaiting)), pass(2_000)]),
    ...[pass(42_000), offer(triggerOf(ref)), pass(1_000), offer(answerOf(ref, awaiting))],
    ...times(count, [offer(triggerOf(ref)), pass(5_000), offer(answerOf(ref, awaiting))]),
  ]);

/** A reload with two runs under way, of which the older one's key then comes just under its budget (S14, S19). */
export const stormAfterReload = fc
  .tuple(fc.constantFrom(...WIDE), fc.constantFrom(...NARROW), fc.integer({ min: 4, max: 6 }))
  .map(([newer, older, count]) => [
    ...[...triggered(newer, requeueing(12_000)), offer(triggerOf(older)), pass(12_000)],
    { type: "reload, leases stand" as const, wallMs: 0 },
    ...[offer(answerOf(newer, awaiting), answerOf(older, awaiting)), pass(50_000)],
    ...times(count, [offer(triggerOf(older)), offer(answerOf(older, awaiting)), pass(1_000)]),
  ]);
