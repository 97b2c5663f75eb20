import fc from "fast-check";
import {
  API_VERSION,
  type Lane,
  MAX_DELAY_MS,
  type ObjectRef,
  type Reason,
  type ReconcileAnswer,
  type SchedulingOptions,
  schedulingOptions,
} from "../../../functions/contract/index.ts";
import type { Refusal } from "../../../functions/ports/index.ts";

/**
 * Controllers whose rules come up within few commands: one by one with a small budget, three at once with debounce, and one
 * by one with many keys, for the lanes.
 */
export const CONTROLLERS: ReadonlyMap<string, SchedulingOptions> = new Map([
  [
    "narrow",
    schedulingOptions.parse({
      ...{ concurrency: 1, startsPerMinute: 6, deadlineMs: 10_000 },
      backoff: { baseMs: 1_000, factor: 2, maxMs: 8_000, jitter: 0.25 },
    }),
  ],
  [
    "wide",
    schedulingOptions.parse({
      ...{ concurrency: 3, debounceMs: 1_000, startsPerMinute: 13, deadlineMs: 30_000 },
      backoff: { baseMs: 500, factor: 3, maxMs: 60_000, jitter: 0.1 },
    }),
  ],
  ["long", schedulingOptions.parse({ concurrency: 1, startsPerMinute: 30, deadlineMs: 20_000 })],
]);

const refsOf = (controller: string, names: string[]): ObjectRef[] =>
  names.map((name) => ({ cluster: "home", controller, namespace: "default", name }));
export const NARROW: readonly ObjectRef[] = refsOf("narrow", ["a", "b", "c"]);
export const WIDE: readonly ObjectRef[] = refsOf("wide", ["v", "w", "x", "y", "z"]);
export const LONG: readonly ObjectRef[] = refsOf("long", ["m", "n", "o", "p", "q", "r"]);
export const KEYS: readonly ObjectRef[] = [...NARROW, ...WIDE, ...LONG];

/** Errors of answers that the driver makes up: for a malformed one, and for a run that ended with its process. */
export const MALFORMED = "the answer is malformed";
export const PROCESS_ENDED = "the process ended during the run";

/** An input as data: a run is that of a key, the newest of a controller, or picked by its place, the newest first. */
export type Offer =
  | { offer: "trigger"; ref: ObjectRef; reason: Reason; lane: Lane }
  | { offer: "answer"; run: ObjectRef | string | number; answer: ReconcileAnswer }
  | { offer: "refuse"; run: ObjectRef | string | number; refusal: Refusal }
  | { offer: "delete parked"; controller: string }
  | { offer: "late answer"; run: number; answer: ReconcileAnswer };

export type Command =
  | { type: "offer"; offers: Offer[] }
  /** The store fails: triggers are refused, answers come again with the next step. */
  | { type: "offer, the commit fails"; offers: Offer[] }
  | { type: "wake" }
  /** Wake-ups until that key runs, a few at most. */
  | { type: "wake until it runs"; ref: ObjectRef }
  | { type: "pass"; ms: number }
  | { type: "pass the next lease's end"; byMs: number }
  | { type: "step the wall clock"; ms: number }
  /** `without` is a controller that is not declared from then on, and no other (S17). */
  | { type: "reload, leases ended with the process" | "reload, leases stand"; wallMs: number; without?: string };

/** One run of the model: its commands, and the random number behind all its jitter. */
export type Sequence = { random: number; commands: Command[] };

const SUCCESS = { apiVersion: API_VERSION, outcome: "success" } as const;
const UIDS = ["uid-1", "uid-2"];
const observed = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  { weight: 6, arbitrary: fc.constant({ observed: { uid: UIDS[0]!, resourceVersion: "1" } }) },
  { weight: 2, arbitrary: fc.constant({ observed: { uid: UIDS[1]!, resourceVersion: "2" } }) },
);
const delay = fc.constantFrom(
  0,
  1,
  300,
  999,
  1_000,
  4_000,
  20_000,
  600_000,
  MAX_DELAY_MS,
  MAX_DELAY_MS + 1,
  2 * MAX_DELAY_MS,
  1e12,
);

export const awaiting: ReconcileAnswer = { ...SUCCESS, action: { awaitChange: true } };
export const requeueing = (requeueAfterMs: number): ReconcileAnswer => ({ ...SUCCESS, action: { requeueAfterMs } });
export const failing = (retryAfterMs?: number): ReconcileAnswer => ({
  ...{ apiVersion: API_VERSION, outcome: "error", error: "it broke" },
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});

export const gone: ReconcileAnswer = { apiVersion: API_VERSION, outcome: "gone" };
export const terminal: ReconcileAnswer = { apiVersion: API_VERSION, outcome: "terminal", error: "no" };

export const anyAnswer: fc.Arbitrary<ReconcileAnswer> = fc
  .tuple(
    fc.oneof(
      { weight: 4, arbitrary: fc.constant(awaiting) },
      { weight: 5, arbitrary: delay.map(requeueing) },
      { weight: 5, arbitrary: fc.constant(failing()) },
      { weight: 4, arbitrary: delay.map(failing) },
      { weight: 1, arbitrary: fc.constant({ ...failing(), error: MALFORMED } as ReconcileAnswer) },
      { weight: 2, arbitrary: fc.constant(terminal) },
      { weight: 2, arbitrary: fc.constant(gone) },
    ),
    observed,
  )
  .map(([answer, seen]) => ({ ...answer, ...seen }));

/** 429, 503, a bad signature, an unknown route, a refused connection (S8). */
export const anyRefusal: fc.Arbitrary<Refusal> = fc
  .tuple(
    fc.constantFrom(429, 503, 503, 401, 404, undefined),
    fc.constantFrom(undefined, undefined, 0, 400, 3_000, 20_000, 3_600_000),
    fc.boolean(),
  )
  .map(([status, retryAfterMs, ours]) => ({
    ...{ sent: status !== undefined, ours: ours && status !== undefined },
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }));

const reason = fc.constantFrom<Reason>("object-updated", "related-object-updated", "webhook", "bulk", "requeue");
const lane = fc.constantFrom<Lane>("live", "live", "resync");

export const anyTrigger = (refs: readonly ObjectRef[]): fc.Arbitrary<Offer> =>
  fc.record({ offer: fc.constant("trigger" as const), ref: fc.constantFrom(...refs), reason, lane });

const anyOffer: fc.Arbitrary<Offer> = fc.oneof(
  { weight: 5, arbitrary: anyTrigger(KEYS) },
  {
    weight: 4,
    arbitrary: fc.record({ offer: fc.constant("answer" as const), run: fc.nat({ max: 3 }), answer: anyAnswer }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ offer: fc.constant("late answer" as const), run: fc.nat({ max: 5 }), answer: anyAnswer }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ offer: fc.constant("refuse" as const), run: fc.nat({ max: 3 }), refusal: anyRefusal }),
  },
);

const passing = fc.constantFrom(1, 200, 500, 999, 1_000, 1_001, 3_000, 5_000, 12_000, 30_000, 61_000);
const wallStep = fc.constantFrom(-86_400_000, -3_600_000, -30_000, -1_500, -1, 1, 1_500, 30_000, 3_600_000);

export const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 14,
    arbitrary: fc.array(anyOffer, { minLength: 1, maxLength: 4 }).map((offers) => ({ type: "offer" as const, offers })),
  },
  {
    weight: 2,
    arbitrary: fc
      .array(anyOffer, { minLength: 1, maxLength: 3 })
      .map((offers) => ({ type: "offer, the commit fails" as const, offers })),
  },
  { weight: 8, arbitrary: fc.constant<Command>({ type: "wake" }) },
  { weight: 5, arbitrary: passing.map((ms) => ({ type: "pass" as const, ms })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(0, 1, 90_000).map((byMs) => ({ type: "pass the next lease's end" as const, byMs })),
  },
  { weight: 2, arbitrary: wallStep.map((ms) => ({ type: "step the wall clock" as const, ms })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom("reload, leases ended with the process" as const, "reload, leases stand" as const),
        fc.oneof(fc.constant(0), fc.constantFrom(-60_000, -3_600_000), wallStep),
        fc.constantFrom(undefined, undefined, ...CONTROLLERS.keys()),
      )
      .map(([type, wallMs, without]) => ({ type, wallMs, ...(without !== undefined && { without }) })),
  },
);
