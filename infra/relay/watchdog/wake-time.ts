import type { WakeAnswer } from "../../../functions/contract/index.ts";

/**
 * When the relay has to wake the scheduler (R12). Pure; instants are milliseconds of the relay's monotonic clock.
 * @module
 */

/** How late a platform's own timer may be before the relay takes its place. */
export const WAKE_GRACE_MS = 30_000;
/** How often the scheduler is woken where hooks or schedules trigger keys of which the relay hears nothing. */
export const UNSEEN_EVERY_MS = 300_000;
/** A scheduler that is always due would otherwise be asked without a pause. */
export const CLOSEST_WAKES_MS = 100;

export type WakeTime = Readonly<{
  /** When the scheduler has something to do, as far as it was told; null with nothing scheduled. */
  at: number | null;
  timer: WakeAnswer["timer"];
  /** The earliest that `/triggers` told since `/wake` was asked: the answer to that may not know of it yet. */
  meanwhile: number | null;
  /** When `/wake` was answered last. */
  answeredAt: number | null;
}>;

export const initialWakeTime: WakeTime = { at: null, timer: "platform", meanwhile: null, answeredAt: null };

/** An answer to `/triggers` speaks of the shards that it concerned: it can only lower what is held. */
export function triggersTold(time: WakeTime, { nextWakeInMs, timer }: WakeAnswer, now: number): WakeTime {
  const told = instantOf(nextWakeInMs, now);
  return { ...time, timer, at: earlier(time.at, told), meanwhile: earlier(time.meanwhile, told) };
}

/** `/wake` is being asked. */
export function wakeAsked(time: WakeTime): WakeTime {
  return { ...time, meanwhile: null };
}

/** An answer to `/wake` speaks of all shards: what is held rises to it, but for what came meanwhile. */
export function wakeTold(time: WakeTime, { nextWakeInMs, timer }: WakeAnswer, now: number): WakeTime {
  return { at: earlier(instantOf(nextWakeInMs, now), time.meanwhile), timer, meanwhile: null, answeredAt: now };
}

/**
 * When to ask `/wake` next; null: not before something is told.
 * @param unseen whether hooks or schedules are declared.
 */
export function wakeDue({ at, timer, answeredAt }: WakeTime, unseen: boolean): number | null {
  const scheduled = at === null ? null : at + (timer === "relay" ? 0 : WAKE_GRACE_MS);
  const regular = unseen && answeredAt !== null ? answeredAt + UNSEEN_EVERY_MS : null;
  const due = earlier(scheduled, regular);
  return due === null || answeredAt === null ? due : Math.max(due, answeredAt + CLOSEST_WAKES_MS);
}

const instantOf = (inMs: number | null, now: number) => (inMs === null ? null : now + inMs);
const earlier = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : Math.min(a, b));
