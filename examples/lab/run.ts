import type { KubeObject } from "sluice";

/** An object as loose as the lab reads it. */
export type Loose = KubeObject & {
  data?: Record<string, string>;
  spec?: { text?: string; secretName?: string };
  status?: { phase?: string; observedGeneration?: number };
};

/** A write that the functions sent to the API server. */
export type Write = {
  /** `ConfigMap blog`, `Site blog: status` */
  what: string;
  status: number;
  /** The object's resourceVersion before and after; absent where there was no object, or is none any more. */
  before?: string;
  after?: string;
};

/** One run of a Site, put together from what the functions asked of the API server and from their log. */
export type Run = {
  name: string;
  /** When it read the Site, by the clock of `performance.now()`. */
  startedAt: number;
  /** The Site as the run read it; absent where it was gone. */
  observed?: Loose;
  /** The Secret that its spec names, where the run looked for it. */
  secret?: { name: string; found: boolean };
  /** The ConfigMap's data as wanted, and as it was there just before. */
  compared?: { wanted: Record<string, string>; there: Record<string, string> | undefined };
  writes: Write[];
  /** What woke it, as far as the log says. */
  reasons: readonly string[];
  outcome: "success" | "error" | "terminal" | "gone";
  /** What the scheduler is to do next. */
  action?: object;
  error?: string;
  /** For a failed run: failures in a row before it. */
  attempt?: number;
};

/** The writes that changed something. */
export function changes({ writes }: Pick<Run, "writes">): Write[] {
  return writes.filter(({ status, before, after }) => status < 300 && before !== after);
}
