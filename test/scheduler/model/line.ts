import { type SchedulingOptions, schedulingOptions } from "../../../functions/contract/index.ts";
import { exists, type Key, type Queue } from "./key.ts";

/** A run of a line that is not declared is settled with the defaults. */
const DEFAULTS = schedulingOptions.parse({});

/** A pause (S8), and the lease of the run that probes after it. */
export type Pause = { readonly until: number; readonly inARow: number; readonly probe: string | null };

/** What the model knows of a line, a controller in a cluster, as a whole (S20). */
export class Line {
  readonly cluster: string;
  readonly controller: string;
  readonly keys: Key[] = [];
  /** Its place among the lines that are declared. */
  order = 0;
  pause: Pause | null = null;
  /** The newest start of a run that was answered (S8). */
  answeredStart = Number.NEGATIVE_INFINITY;
  /** Live runs that started in a row while a resync key waited (S11). */
  passed = 0;
  /** Which kind of the resync lane started last (S11). */
  lastOfResync: Queue | null = null;
  /** The turn in which it was served last (S20). */
  servedAt = Number.NEGATIVE_INFINITY;
  /** Since when it has had entries without being declared (S17). */
  parkedAt: number | null = null;
  #declared: SchedulingOptions | undefined;

  constructor(cluster: string, controller: string) {
    this.cluster = cluster;
    this.controller = controller;
  }

  get name(): string {
    return `${this.cluster}/${this.controller}`;
  }

  get isDeclared(): boolean {
    return this.#declared !== undefined;
  }

  get options(): SchedulingOptions {
    return this.#declared ?? DEFAULTS;
  }

  /** What holds a lease takes a place, be it that only the lease stands (S12). */
  get running(): number {
    let running = 0;
    for (const { run } of this.keys) if (run) running++;
    return running;
  }

  entries(): Key[] {
    return this.keys.filter(exists);
  }

  /** S14: what the rows tell: the newest pause that one of them says it was refused in. */
  reload(declared: SchedulingOptions | undefined, order: number): void {
    this.#declared = declared;
    this.order = order;
    this.answeredStart = Number.NEGATIVE_INFINITY;
    this.passed = 0;
    this.lastOfResync = null;
    this.servedAt = Number.NEGATIVE_INFINITY;
    this.pause = null;
    for (const { refused } of this.keys)
      if (refused?.pause && refused.pause.until > (this.pause?.until ?? 0))
        this.pause = { ...refused.pause, probe: null };
  }
}
