import type { Lane, ObjectRef, ReconcileAnswer } from "../../../functions/contract/index.ts";
import type { Command, Offer } from "./commands.ts";

export const offer = (...offers: Offer[]): Command => ({ type: "offer", offers });
export const triggerOf = (ref: ObjectRef, lane: Lane = "live"): Offer => ({
  ...{ offer: "trigger", ref, reason: "object-updated", lane },
});
export const answerOf = (ref: ObjectRef, answer: ReconcileAnswer): Offer => ({ offer: "answer", run: ref, answer });
export const untilRuns = (ref: ObjectRef): Command => ({ type: "wake until it runs", ref });
export const pass = (ms: number): Command => ({ type: "pass", ms });
export const times = (count: number, commands: Command[]): Command[] =>
  Array.from({ length: count }, () => commands).flat();

/** A trigger, the run, and its answer: three commands. */
export const triggered = (ref: ObjectRef, answer: ReconcileAnswer): Command[] => [
  ...[offer(triggerOf(ref)), untilRuns(ref), offer(answerOf(ref, answer))],
];
export const observing = (uid: string, answer: ReconcileAnswer): ReconcileAnswer => ({
  ...answer,
  observed: { uid, resourceVersion: "1" },
});
