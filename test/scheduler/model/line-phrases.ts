/** What leads to the deep states of a line, and of lines beside each other. */
import fc from "fast-check";
import type { Lane } from "../../../functions/contract/index.ts";
import {
  anyAnswer,
  anyRefusal,
  anyTrigger,
  awaiting,
  type Command,
  failing,
  KEYS,
  LINES,
  LONG,
  NARROW,
  type Offer,
  RELOADS,
  requeueing,
  WIDE,
} from "./commands.ts";
import { answerOf, offer, pass, triggered, triggerOf, untilRuns } from "./offers.ts";

const answerNewest = (run: number | string): Offer => ({ offer: "answer", run, answer: awaiting });

/** A relist of some keys while others change again and again, and now and then one of the relist turns live (S11). */
export const lanes = fc
  .tuple(
    fc.shuffledSubarray([...LONG], { minLength: 6 }),
    fc.array(fc.nat({ max: 5 }), { minLength: 4, maxLength: 10 }),
    fc.constantFrom<Lane>("live", "live", "resync"),
  )
  .map(([[busy, ...refs], picks, lane]) => [
    ...[offer(triggerOf(busy!, lane)), pass(1)],
    ...refs.flatMap((ref, i) => [offer(triggerOf(ref, i < 2 ? "resync" : "live")), pass(1)]),
    ...picks.flatMap((i) => [
      ...[offer({ offer: "answer" as const, run: "home/long", answer: awaiting }), pass(1)],
      offer(triggerOf(refs[i] ?? busy!)),
    ]),
  ]);

/** A function that refuses runs, with others of its runs under way or waiting, and probes that end in all ways (S8). */
export const outage = fc
  .tuple(
    fc.constantFrom(NARROW, WIDE, WIDE, LONG),
    fc.array(fc.oneof({ weight: 4, arbitrary: anyRefusal }, { weight: 1, arbitrary: anyAnswer }), {
      ...{ minLength: 2, maxLength: 7 },
    }),
    fc.constantFrom<Command[]>([], [{ type: "reload, leases ended with the process", wallMs: 0 }]),
    anyRefusal,
  )
  .map(([refs, ends, reload, refusal]) => [
    ...[offer(...refs.map((ref) => triggerOf(ref))), pass(1_000)],
    ...(refs === WIDE ? [refs[0]!, refs[1]!].map((run) => offer({ offer: "refuse", run, refusal })) : []),
    ...ends.flatMap((end, i): Command[] => {
      const run = `home/${refs[0]!.controller}`;
      const last =
        "outcome" in end
          ? { offer: "answer" as const, run, answer: end }
          : { offer: "refuse" as const, run, refusal: end };
      return [offer(last), ...(i === 1 ? reload : []), { type: "wake" }];
    }),
  ]);

/** A key that is refused, another one that is not, and the first one again (S8). */
export const poison = fc
  .tuple(fc.constantFrom(NARROW, WIDE, LONG), fc.array(anyRefusal, { minLength: 2, maxLength: 4 }))
  .map(([[bad, good], refusals]) => [
    offer(triggerOf(bad!)),
    ...refusals.flatMap((refusal): Command[] => [
      ...[untilRuns(bad!), offer({ offer: "refuse", run: bad!, refusal: { ...refusal, ours: true } })],
      ...triggered(good!, awaiting),
    ]),
  ]);

/** A controller or a cluster that is not declared for a while, with entries that wait or run (S17). */
export const parking = fc
  .tuple(
    fc.constantFrom(...LINES),
    fc.constantFrom(...RELOADS),
    fc.boolean(),
    anyAnswer,
    fc.constantFrom(1_000, 60_000, 60_000, 31 * 86_400_000),
    fc.constantFrom<"deletes" | "keeps" | "reloads">("deletes", "keeps", "reloads"),
  )
  .map(([refs, type, byCluster, answer, restMs, then]): Command[] => {
    const { cluster, controller } = refs[0]!;
    const without = byCluster ? cluster : controller;
    const run = `${cluster}/${controller}`;
    const deletion: Offer = { offer: "delete parked", cluster, controller };
    return [
      ...(then === "keeps" ? [offer(deletion, triggerOf(refs[0]!))] : []),
      ...[offer(...refs.map((ref) => triggerOf(ref))), pass(1_000), { type, wallMs: 0, without }],
      ...[offer({ offer: "answer", run, answer }, triggerOf(refs[1]!)), pass(restMs)],
      ...(then === "deletes" ? [offer(deletion)] : []),
      ...(then === "reloads" ? [{ type: "reload, leases stand" as const, wallMs: 0, without }] : []),
      ...[offer(triggerOf(refs.at(-1)!, "resync")), { type: "reload, leases stand" as const, wallMs: 0 }],
      ...(then === "keeps" ? [offer(deletion)] : [pass(1_000)]),
    ];
  });

/** A key that turns live while it is parked, behind one that was live by then (S11, S17). */
export const turningLive = fc
  .shuffledSubarray([...LONG], { minLength: 3, maxLength: 3 })
  .map(([busy, first, second]) => [
    ...[offer(triggerOf(busy!)), { type: "reload, leases stand" as const, wallMs: 0, without: "long" }, pass(1)],
    ...[offer(triggerOf(second!, "resync")), pass(1), offer(triggerOf(first!)), pass(1), offer(triggerOf(second!))],
    ...[{ type: "reload, leases stand" as const, wallMs: 0 }, offer(answerOf(busy!, awaiting))],
  ]);

/** A lease that was there before its line was not, and 30 days in which its run does not end (S17). */
export const longParking = fc.tuple(fc.constantFrom(LONG, WIDE), fc.boolean()).map(([refs, byCluster]): Command[] => {
  const { cluster, controller } = refs[0]!;
  const without = byCluster ? cluster : controller;
  return [
    ...[offer(...refs.map((ref) => triggerOf(ref))), pass(1_000)],
    { type: "reload, leases stand", wallMs: 0, without },
    { type: "step the wall clock", ms: 31 * 86_400_000 },
    ...[offer(triggerOf(refs[0]!)), offer(answerOf(refs[0]!, requeueing(4_000)))],
  ];
});

const process: Command = { type: "reload, leases ended with the process", wallMs: 0 };

/** Processes that end with runs under way, again and again, and what becomes of the runs that they lost (S6). */
export const crashes = fc
  .tuple(
    fc.shuffledSubarray([...KEYS], { minLength: 3, maxLength: 7 }),
    fc.constantFrom(process, process, { ...process, type: "reload, leases stand" as const }),
    fc.array(
      fc.oneof<fc.Arbitrary<Command>[]>(
        fc.constantFrom<Command>({ type: "wake" }, offer(answerNewest(0)), pass(1_000), pass(4_999), pass(5_000)),
        fc.constantFrom<Command>(process, { type: "reload after an orderly stop", wallMs: 0 }),
        fc.constantFrom<Offer>({ offer: "crashed", run: 0 }, { offer: "cut", run: 0 }).map((end) => offer(end)),
        fc.tuple(anyRefusal, fc.nat({ max: 1 })).map(([refusal, run]) => offer({ offer: "refuse", run, refusal })),
        fc.oneof(anyAnswer, fc.constant(failing())).map((answer) => offer({ offer: "answer", run: 0, answer })),
        anyTrigger(KEYS).map((trigger) => offer(trigger)),
      ),
      { minLength: 4, maxLength: 12 },
    ),
  )
  .map(([refs, first, then]): Command[] => {
    const found: Command[] = first === process ? [] : [{ type: "pass the next lease's end", byMs: 0 }];
    return [offer(...refs.map((ref) => triggerOf(ref))), pass(1_000), first, ...found, ...then];
  });

/** A key that is lost, fails, and is lost again before its backoff has ended (S6). */
export const lostEarly = fc
  .constantFrom(...KEYS)
  .map((ref): Command[] => [
    ...[...triggered(ref, failing(600_000)), offer(triggerOf(ref)), untilRuns(ref)],
    ...[offer({ offer: "crashed", run: ref }, triggerOf(ref, "resync")), untilRuns(ref)],
    ...[offer({ offer: "crashed", run: ref }), untilRuns(ref)],
  ]);

/** Many keys of all lines in both lanes, and runs that end one by one (S12, S20). */
export const manyLines = fc
  .tuple(
    fc.shuffledSubarray([...KEYS], { minLength: 8, maxLength: 16 }),
    fc.array(fc.constantFrom<Lane>("live", "live", "resync"), { minLength: 16, maxLength: 16 }),
    fc.array(fc.tuple(fc.nat({ max: 5 }), fc.nat({ max: 20 })), { minLength: 4, maxLength: 12 }),
  )
  .map(([refs, lanes, ends]): Command[] => [
    ...[offer(...refs.map((ref, i) => triggerOf(ref, lanes[i]))), pass(1_000)],
    ...ends.flatMap(([run, next]) => {
      const again = refs[next] ? [triggerOf(refs[next], lanes[next])] : [];
      return [offer(answerNewest(run), ...again)];
    }),
  ]);

/** Overdue polls beside a bulk (S11): each key was run, and is due again when the bulk comes. */
export const timersAndBulk = fc
  .tuple(
    fc.shuffledSubarray([...LONG], { minLength: 5 }),
    fc.constantFrom(requeueing(60_000), requeueing(61_000), requeueing(120_000)),
    fc.boolean(),
  )
  .map(([[first, second, third, ...rest], answer, isBulk]): Command[] => [
    ...[first!, second!, third!].flatMap((ref) => [
      ...[offer(triggerOf(ref, isBulk ? "resync" : "live")), untilRuns(ref), offer(answerOf(ref, answer))],
    ]),
    ...(isBulk ? [offer(triggerOf(second!, "resync")), offer(answerOf(second!, answer))] : []),
    ...[{ type: "step the wall clock" as const, ms: 120_000 }],
    offer(...rest.map((ref) => triggerOf(ref, "resync")), triggerOf(third!, "resync")),
    ...[1, 2, 3, 4, 5].map(() => offer(answerNewest("home/long"))),
  ]);

/** New keys where there may be no room for them (S21). */
export const newKeys = fc
  .tuple(fc.shuffledSubarray([...KEYS], { minLength: 10, maxLength: 16 }), fc.nat({ max: 2 }))
  .map(([refs, run]): Command[] => [
    offer(...refs.slice(0, 8).map((ref) => triggerOf(ref))),
    ...refs.slice(8).map((ref) => offer(triggerOf(ref), answerNewest(run), triggerOf(ref, "resync"))),
  ]);
