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
import type { Declared, Limits } from "./shard.ts";

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

const CLUSTERS: ReadonlySet<string> = new Set(["home", "away", "edge"]);
export const DECLARED: Declared = { controllers: CONTROLLERS, clusters: CLUSTERS };

const refsOf = (cluster: string, controller: string, names: string[]): ObjectRef[] =>
  names.map((name) => ({ cluster, controller, namespace: "default", name }));
export const NARROW: readonly ObjectRef[] = refsOf("home", "narrow", ["a", "b", "c"]);
export const WIDE: readonly ObjectRef[] = refsOf("home", "wide", ["v", "w", "x", "y", "z"]);
export const LONG: readonly ObjectRef[] = refsOf("home", "long", ["m", "n", "o", "p", "q", "r"]);
const AWAY_NARROW = refsOf("away", "narrow", ["d", "e", "f"]);
const AWAY_WIDE = refsOf("away", "wide", ["s", "t"]);
/** One of its keys has 300 characters, which is half as much again as most may have (S21). */
const EDGE_LONG = refsOf("edge", "long", ["g", "h".repeat(300 - "edge/long/default/".length)]);
/** Each line's; others of the nine that are declared have none. */
export const LINES: readonly (readonly ObjectRef[])[] = [NARROW, WIDE, LONG, AWAY_NARROW, AWAY_WIDE, EDGE_LONG];
export const KEYS: readonly ObjectRef[] = LINES.flat();

/** The error that stands for an answer which makes no sense. */
export const MALFORMED = "the answer is malformed";

/** Of a key, the newest of a line (`home/narrow`), or picked by its place, the newest first. */
export type Picked = ObjectRef | string | number;

/** An input as data. */
export type Offer =
  | { offer: "trigger"; ref: ObjectRef; reason: Reason; lane: Lane }
  | { offer: "answer"; run: Picked; answer: ReconcileAnswer }
  | { offer: "refuse"; run: Picked; refusal: Refusal }
  | { offer: "crashed"; run: Picked }
  | { offer: "cut"; run: Picked }
  | { offer: "delete parked"; cluster: string; controller: string }
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
  /** The lease that ends next has ended by then. */
  | { type: "offer past the next lease's end"; offers: Offer[] }
  | { type: "step the wall clock"; ms: number }
  /** `without` is a controller or a cluster that is not declared from then on, and no other (S17). */
  | { type: Reload; wallMs: number; without?: string };

/** In the last one the process lets its runs be cut off first. */
export type Reload = "reload, leases ended with the process" | "reload, leases stand" | "reload after an orderly stop";
export const RELOADS: readonly Reload[] = [
  ...(["reload, leases ended with the process", "reload, leases stand", "reload after an orderly stop"] as const),
];

/** One run of the model: its commands, the random number behind all its jitter, and what its host grants. */
export type Sequence = {
  random: number;
  limits: Limits;
  /** Of each step (S20). */
  mostStarts?: number | undefined;
  /** Whether a load gives every entry, or only those that must be given. */
  loadsAll: boolean;
  commands: Command[];
};

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
    fc.constantFrom(429, 429, 503, 503, 401, 404, undefined),
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
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.boolean(), fc.nat({ max: 3 }))
      .map(([isCut, run]): Offer => (isCut ? { offer: "cut", run } : { offer: "crashed", run })),
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
  {
    weight: 1,
    arbitrary: fc
      .array(anyOffer, { minLength: 1, maxLength: 3 })
      .map((offers) => ({ type: "offer past the next lease's end" as const, offers })),
  },
  { weight: 2, arbitrary: wallStep.map((ms) => ({ type: "step the wall clock" as const, ms })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom(...RELOADS),
        fc.oneof(fc.constant(0), fc.constantFrom(-60_000, -3_600_000), wallStep),
        fc.constantFrom(undefined, undefined, undefined, ...CONTROLLERS.keys(), ...CLUSTERS),
      )
      .map(([type, wallMs, without]) => ({ type, wallMs, ...(without !== undefined && { without }) })),
  },
);
