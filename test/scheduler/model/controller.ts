import { type SchedulingOptions, schedulingOptions } from "../../../functions/contract/index.ts";
import type { Key } from "./key.ts";

/** A run of a controller that is not declared is settled with the defaults. */
const DEFAULTS = schedulingOptions.parse({});

/** A pause (S8), and the lease of the run that probes after it. */
export type Pause = { readonly until: number; readonly inARow: number; readonly probe: string | null };

/** What the model knows of a controller as a whole. */
export class Controller {
  readonly name: string;
  readonly keys: Key[] = [];
  pause: Pause | null = null;
  /** The newest start of a run that was answered (S8). */
  answeredStart = Number.NEGATIVE_INFINITY;
  /** Live runs that started in a row while a resync key waited (S11). */
  passed = 0;
  #declared: SchedulingOptions | undefined;

  constructor(name: string, declared: SchedulingOptions) {
    this.name = name;
    this.#declared = declared;
  }

  get isDeclared(): boolean {
    return this.#declared !== undefined;
  }

  get options(): SchedulingOptions {
    return this.#declared ?? DEFAULTS;
  }

  /** S12: what holds a lease takes a place. */
  get isFull(): boolean {
    return this.keys.filter(({ run }) => run).length >= this.options.concurrency;
  }

  /** S14: what the rows tell: the newest pause that one of them says it was refused in. */
  reload(declared: SchedulingOptions | undefined): void {
    this.#declared = declared;
    this.answeredStart = Number.NEGATIVE_INFINITY;
    this.passed = 0;
    this.pause = null;
    for (const { refused } of this.keys)
      if (refused?.pause && refused.pause.until > (this.pause?.until ?? 0))
        this.pause = { ...refused.pause, probe: null };
  }
}
