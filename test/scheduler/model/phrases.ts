import fc from "fast-check";
import type { Lane, ObjectRef, ReconcileAnswer } from "../../../functions/contract/index.ts";
import {
  anyAnswer,
  anyCommand,
  anyRefusal,
  anyTrigger,
  awaiting,
  type Command,
  failing,
  gone,
  KEYS,
  LONG,
  NARROW,
  type Offer,
  requeueing,
  type Sequence,
  terminal,
  WIDE,
} from "./commands.ts";

const offer = (...offers: Offer[]): Command => ({ type: "offer", offers });
const triggerOf = (ref: ObjectRef, lane: Lane = "live"): Offer => ({
  ...{ offer: "trigger", ref, reason: "object-updated", lane },
});
const answerOf = (ref: ObjectRef, answer: ReconcileAnswer): Offer => ({ offer: "answer", run: ref, answer });
const untilRuns = (ref: ObjectRef): Command => ({ type: "wake until it runs", ref });
const pass = (ms: number): Command => ({ type: "pass", ms });
const times = (count: number, commands: Command[]): Command[] => Array.from({ length: count }, () => commands).flat();

/** A trigger, the run, and its answer: three commands. */
const triggered = (ref: ObjectRef, answer: ReconcileAnswer): Command[] => [
  ...[offer(triggerOf(ref)), untilRuns(ref), offer(answerOf(ref, answer))],
];
const observing = (uid: string, answer: ReconcileAnswer): ReconcileAnswer => ({
  ...answer,
  observed: { uid, resourceVersion: "1" },
});

const anyRef = fc.constantFrom(...KEYS);
const free = anyCommand.map((command) => [command]);

/** Every key of a controller at once: a full cap with others waiting (S12). */
const crowd = fc
  .constantFrom(NARROW, WIDE)
  .map((refs) => [
    offer(...refs.map((ref) => triggerOf(ref))),
    ...refs.flatMap((ref) => triggered(ref, awaiting).slice(1)),
  ]);

/** Failure after failure (S6, S7). */
const failures = fc
  .tuple(anyRef, fc.integer({ min: 2, max: 6 }))
  .map(([ref, count]) => [offer(triggerOf(ref)), ...times(count, [untilRuns(ref), offer(answerOf(ref, failing()))])]);

/** A long backoff, and events during it (S6, S7, S13). */
const earlyAnswer = fc.oneof(fc.constantFrom(failing(), failing(), failing(1_000), failing(900_000)), anyAnswer);
const earlyRuns = fc
  .tuple(anyRef, fc.constantFrom(30_000, 600_000), fc.array(earlyAnswer, { minLength: 1, maxLength: 5 }))
  .map(([ref, delayMs, answers]) => [failing(delayMs), ...answers].flatMap((answer) => triggered(ref, answer)));

/** An object that was deleted and created again between two runs, with or without a backoff of its predecessor (S13). */
const recreations = fc
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
const requeues = fc
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
const duringRun = fc
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
const window = fc
  .tuple(fc.constantFrom(...WIDE), fc.array(fc.constantFrom(1, 200, 400), { minLength: 1, maxLength: 3 }))
  .map(([ref, gaps]) => [
    ...[offer(triggerOf(ref)), ...gaps.flatMap((ms) => [pass(ms), offer(triggerOf(ref))])],
    ...[untilRuns(ref), offer(answerOf(ref, awaiting))],
  ]);

/** A key that starts again and again, until it is over its budget, and is left alone for a while then (S19). */
const storm = fc
  .tuple(fc.constantFrom(...NARROW), fc.integer({ min: 5, max: 8 }), fc.constantFrom(0, 40_000, 59_000, 62_000))
  .map(([ref, count, restMs]) => [
    ...times(count, [offer(triggerOf(ref)), offer(answerOf(ref, awaiting)), pass(2_000)]),
    ...[pass(restMs), ...triggered(ref, awaiting), ...triggered(ref, awaiting)],
  ]);

/** Over its budget, then quieter than the budget, yet held each time: it stays spaced (S19). */
const longStorm = fc
  .tuple(fc.constantFrom(...WIDE), fc.integer({ min: 4, max: 6 }))
  .map(([ref, count]) => [
    ...times(13, [offer(triggerOf(ref)), pass(1_000), offer(answerOf(ref, awaiting)), pass(2_000)]),
    ...[pass(42_000), offer(triggerOf(ref)), pass(1_000), offer(answerOf(ref, awaiting))],
    ...times(count, [offer(triggerOf(ref)), pass(5_000), offer(answerOf(ref, awaiting))]),
  ]);

/** A reload with two runs under way, of which the older one's key then comes just under its budget (S14, S19). */
const stormAfterReload = fc
  .tuple(fc.constantFrom(...WIDE), fc.constantFrom(...NARROW), fc.integer({ min: 4, max: 6 }))
  .map(([newer, older, count]) => [
    ...[...triggered(newer, requeueing(12_000)), offer(triggerOf(older)), pass(12_000)],
    { type: "reload, leases stand" as const, wallMs: 0 },
    ...[offer(answerOf(newer, awaiting), answerOf(older, awaiting)), pass(50_000)],
    ...times(count, [offer(triggerOf(older)), offer(answerOf(older, awaiting)), pass(1_000)]),
  ]);

/** A relist of some keys while others change again and again, and now and then one of the relist turns live (S11). */
const lanes = fc
  .tuple(
    fc.shuffledSubarray([...LONG], { minLength: 6 }),
    fc.array(fc.nat({ max: 5 }), { minLength: 4, maxLength: 10 }),
    fc.constantFrom<Lane>("live", "live", "resync"),
  )
  .map(([[busy, ...refs], picks, lane]) => [
    ...[offer(triggerOf(busy!, lane)), pass(1)],
    ...refs.flatMap((ref, i) => [offer(triggerOf(ref, i < 2 ? "resync" : "live")), pass(1)]),
    ...picks.flatMap((i) => [
      ...[offer({ offer: "answer" as const, run: "long", answer: awaiting }), pass(1)],
      offer(triggerOf(refs[i] ?? busy!)),
    ]),
  ]);

/** A function that refuses runs, with others of its runs under way or waiting, and probes that end in all ways (S8). */
const outage = fc
  .tuple(
    fc.constantFrom(NARROW, WIDE, WIDE, LONG),
    fc.array(fc.oneof({ weight: 4, arbitrary: anyRefusal }, { weight: 1, arbitrary: anyAnswer }), {
      ...{ minLength: 2, maxLength: 7 },
    }),
    fc.constantFrom<Command[]>([], [{ type: "reload, leases ended with the process", wallMs: 0 }]),
  )
  .map(([refs, ends, reload]) => [
    ...[offer(...refs.map((ref) => triggerOf(ref))), pass(1_000)],
    ...ends.flatMap((end, i): Command[] => {
      const run = refs[0]!.controller;
      const last =
        "outcome" in end
          ? { offer: "answer" as const, run, answer: end }
          : { offer: "refuse" as const, run, refusal: end };
      return [offer(last), ...(i === 1 ? reload : []), { type: "wake" }];
    }),
  ]);

/** A key that is refused, another one that is not, and the first one again (S8). */
const poison = fc
  .tuple(fc.constantFrom(NARROW, WIDE, LONG), fc.array(anyRefusal, { minLength: 2, maxLength: 4 }))
  .map(([[bad, good], refusals]) => [
    offer(triggerOf(bad!)),
    ...refusals.flatMap((refusal): Command[] => [
      ...[untilRuns(bad!), offer({ offer: "refuse", run: bad!, refusal: { ...refusal, ours: true } })],
      ...triggered(good!, awaiting),
    ]),
  ]);

/** A controller that is not declared for a while, with entries that wait or run (S17). */
const parking = fc
  .tuple(
    fc.constantFrom(NARROW, WIDE, LONG),
    fc.constantFrom("reload, leases ended with the process" as const, "reload, leases stand" as const),
    anyAnswer,
    fc.constantFrom(1_000, 60_000, 60_000, 31 * 86_400_000),
    fc.boolean(),
  )
  .map(([refs, type, answer, restMs, deletes]): Command[] => {
    const { controller } = refs[0]!;
    return [
      ...[offer(...refs.map((ref) => triggerOf(ref))), pass(1_000), { type, wallMs: 0, without: controller }],
      ...[offer({ offer: "answer", run: controller, answer }, triggerOf(refs[1]!)), pass(restMs)],
      ...(deletes ? [offer({ offer: "delete parked", controller })] : []),
      ...[offer(triggerOf(refs[2]!, "resync")), { type: "reload, leases stand" as const, wallMs: 0 }, pass(1_000)],
    ];
  });

const phrase: fc.Arbitrary<Command[]> = fc.oneof(
  { weight: 60, arbitrary: free },
  { weight: 3, arbitrary: crowd },
  { weight: 3, arbitrary: failures },
  { weight: 4, arbitrary: earlyRuns },
  { weight: 5, arbitrary: recreations },
  { weight: 3, arbitrary: requeues },
  { weight: 4, arbitrary: duringRun },
  { weight: 2, arbitrary: window },
  { weight: 2, arbitrary: storm },
  { weight: 1, arbitrary: longStorm },
  { weight: 4, arbitrary: lanes },
  { weight: 4, arbitrary: outage },
  { weight: 3, arbitrary: poison },
  { weight: 2, arbitrary: parking },
  { weight: 1, arbitrary: stormAfterReload },
);

/** Free commands between phrases that lead to deep states; every command comes as it is, so that a failure shrinks. */
export const sequence: fc.Arbitrary<Sequence> = fc.record({
  random: fc.constantFrom(0, 0.3, 0.5, 0.999),
  commands: fc.array(phrase, { minLength: 4, maxLength: 24, size: "max" }).map((phrases) => phrases.flat()),
});
