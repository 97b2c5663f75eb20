import type { Manifest } from "../contract/index.ts";
import type { Controller } from "../controller/controller.ts";
import type { Clock, KeyValue, Logger, Scheduler, Steps } from "../ports/index.ts";
import type { InProcess } from "./in-process.ts";

/** What the ingress stands on. */
export type IngressOptions = {
  /** What this deployment declares: it tells which triggers have a controller. */
  manifest: Manifest;
  /**
   * Who may send: a relay signs with a secret of its cluster. Several secrets at once are for rotation. A relay that is
   * embedded in this process needs none.
   */
  clusters: readonly { name: string; secrets: readonly string[]; embedded?: boolean }[];
  scheduler: Pick<Scheduler, "flags" | "accept" | "wake">;
  /** Where relays keep their checkpoints (R7). Without it a relay that restarts triggers everything. */
  kv?: KeyValue;
  clock: Clock;
  logger: Logger;
  /** Whose code maps related objects to keys, and what it gets as `env`. */
  controllers?: readonly Controller[];
  env?: unknown;
  /** Believe everyone, for a development machine: must be asked for, and is said in the log (X1). */
  unsigned?: boolean;
  steps?: Steps;
};

/** What middleware and handlers of the ingress find in `c.var`. */
export type IngressEnv = {
  Bindings: InProcess;
  Variables: {
    options: IngressOptions;
    /** The raw body, as it was signed. */
    bytes: Uint8Array;
    /** The clusters that know the secret which the request was signed with; all of them where nothing is signed. */
    senders: ReadonlySet<string>;
  };
};
