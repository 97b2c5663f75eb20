import type { Action, ObjectRef, Predicate, SchedulingOptions } from "../contract/index.ts";
import type { Kube } from "../kube/kube.ts";
import type { KubeObject, Resource } from "../kube/resource.ts";
import type { Logger } from "../ports/index.ts";
import type { RequeueAfter } from "./action.ts";
import type { Duration } from "./duration.ts";
import type { Access, Owns, Watches } from "./relations.ts";
import type { LabelSelection, Selection } from "./selection.ts";

/** What a run gets beside the object: ours, and the user's own dependencies. */
export type RunContext<Env, Context extends object> = Context & {
  /** Reads never come from a cache; nothing is sent past the run's deadline, or after the run. */
  kube: Kube;
  log: Logger;
  /** The platform's bindings and settings. */
  env: Env;
  key: ObjectRef;
  /** Aborts at the run's deadline, and when the run is over. */
  signal: AbortSignal;
  /** Failures in a row before this run; 0 for a key that is not in backoff. */
  attempt: number;
};

/** What is known of a key's failures when an error policy is asked. */
export type Failure<T extends KubeObject> = {
  /** Failures before this one: 0 at the first. */
  attempt: number;
  /** When the first of them happened, in milliseconds since 1970. */
  firstFailureAt: number;
  /** The text of the failure before this one, where it is known. */
  lastError?: string;
  key: ObjectRef;
  /** As it was read, where the run came that far. */
  object?: T;
};

/** What the user's code of a controller does. */
export interface Handlers<Env, Context extends object, T extends KubeObject> {
  /**
   * Makes the world as the object says. Called with the object as it is now, never with an event.
   * @throws anything: a failure, retried with backoff. `TerminalError` waits for a change, `RetryAfterError` sets the delay.
   */
  reconcile(object: T, context: RunContext<Env, Context>): Action | Promise<Action>;
  /**
   * Undoes what deleting the object leaves behind. Nothing returned: finished, the finalizer goes. `requeueAfter`: not
   * finished, no failure. An object that does not fit its schema comes as it is stored.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: a cleanup without a return statement is finished
  cleanup?(object: T, context: RunContext<Env, Context>): RequeueAfter | void | Promise<RequeueAfter | void>;
  /**
   * When a failed key is tried again; `awaitChange()`: not before a change. Not asked about a `TerminalError`, a
   * `RetryAfterError`, or an early run of a key in backoff (S6). If it throws, the default backoff decides.
   */
  errorPolicy?(error: unknown, failure: Failure<T>): Action;
}

type FinalizerOptions<Env, Context extends object, T extends KubeObject> =
  | { finalizer: string; cleanup: NonNullable<Handlers<Env, Context, T>["cleanup"]> }
  | { finalizer?: undefined; cleanup?: undefined };

/** What {@link defineController} takes. */
export type ControllerOptions<Env, Context extends object, T extends KubeObject> = {
  /** A DNS label. Stable: it is in keys and routes, and is the field manager of its writes. */
  name: string;
  /** The kind it reconciles: the primary. */
  for: Resource<T>;
  /** Only in these namespaces, or in those with these labels; without it, in all. It holds for related objects too. */
  namespaces?: readonly string[] | LabelSelection;
  /** Only primaries with these labels and fields. */
  selector?: Selection;
  /** Which changes of a primary count. Default `generation`: a change of its spec, and its deletion. */
  predicate?: Predicate;
  owns?: readonly Owns[];
  watches?: readonly Watches<Env>[];
  access?: readonly Access[];
  /** Runs at once, 1 to 10,000; default 16. */
  concurrency?: number;
  /** A first trigger waits this long for more of its key (S10); default 0. */
  debounce?: Duration;
  /** How long one run may take, up to 15 minutes; default 1 minute. */
  timeout?: Duration;
  /** How failures are spaced; default 1 s, × 2, to 15 min, 25 % jitter. */
  backoff?: { base?: Duration; factor?: number; max?: Duration; jitter?: number };
  /** Starts of one key within a minute before it is spaced to one in 5 s (S19); default 60. */
  budget?: { startsPerMinute: number };
} & Pick<Handlers<Env, Context, NoInfer<T>>, "reconcile" | "errorPolicy"> &
  FinalizerOptions<Env, Context, NoInfer<T>>;

/** A controller as {@link defineController} returns it: checked, with every default set. */
export interface Controller<Env = unknown, Context extends object = object, T extends KubeObject = KubeObject>
  extends Handlers<Env, Context, T> {
  readonly name: string;
  readonly for: Resource<T>;
  readonly namespaces?: readonly string[] | LabelSelection;
  readonly selector?: Selection;
  readonly predicate?: Predicate;
  readonly owns: readonly Owns[];
  readonly watches: readonly Watches[];
  readonly access: readonly Access[];
  readonly finalizer?: string;
  readonly scheduling: SchedulingOptions;
}
