import { keyOf, type ObjectRef, type SchedulingOptions } from "../../../functions/contract/index.ts";
import { exists, type Hold, type Key, newKey } from "./key.ts";
import { Line } from "./line.ts";

/** A key longer than this weighs more than one (S21). */
const LIGHT_LENGTH = 200;
const weightOf = ({ name }: Key) => Math.max(1, name.length / LIGHT_LENGTH);
/** From then on a lost key's run holds back no other (S6). */
const LOST_ALONE_MS = 5_000;

/** The lines are the product of the two. */
export type Declared = {
  readonly controllers: ReadonlyMap<string, SchedulingOptions>;
  readonly clusters: ReadonlySet<string>;
};

export type Limits = { readonly keys: number; readonly running: number };

/** What the model knows beyond lines: the caps over all of them (S12, S21), and whose turn it is (S6, S20). */
export class Shard {
  readonly limits: Limits;
  readonly keys = new Map<string, Key>();
  readonly all: readonly Key[];
  readonly lines = new Map<string, Line>();
  /** The last start of a key that was lost with its process, on the monotonic clock (S6). */
  gate: { readonly key: Key; readonly lease: string; readonly startedAt: number; readonly isAlone: boolean } | null =
    null;
  /**
   * Live runs of all lines that started in a row while the head of one was of the resync lane (S20): at least and at most,
   * for of keys that were refused at the same instant any may be its line's head.
   */
  passed = { least: 0, most: 0 };
  turns = 0;
  #declared: readonly Line[] = [];

  constructor(refs: readonly ObjectRef[], limits: Limits) {
    this.limits = limits;
    for (const ref of refs) {
      const name = `${ref.cluster}/${ref.controller}`;
      const line = this.lines.get(name) ?? new Line(ref.cluster, ref.controller);
      const key = newKey(keyOf(ref), ref, line);
      line.keys.push(key);
      this.lines.set(name, line);
      this.keys.set(key.name, key);
    }
    this.all = [...this.keys.values()];
  }

  /** S14: turns are memory. */
  declare({ controllers, clusters }: Declared): void {
    let order = 0;
    for (const cluster of clusters)
      for (const [controller, options] of controllers) {
        const name = `${cluster}/${controller}`;
        if (!this.lines.has(name)) this.lines.set(name, new Line(cluster, controller));
        this.lines.get(name)!.reload(options, order++);
      }
    for (const line of this.lines.values())
      if (!clusters.has(line.cluster) || !controllers.has(line.controller)) line.reload(undefined, order);
    this.#declared = [...this.lines.values()].filter(({ isDeclared }) => isDeclared);
    this.gate = null;
    this.passed = { least: 0, most: 0 };
    this.turns = 0;
  }

  declared(): readonly Line[] {
    return this.#declared;
  }

  get running(): number {
    let running = 0;
    for (const { run } of this.all) if (run) running++;
    return running;
  }

  /** S21: whether it could not load one more key again. */
  isFullFor(key: Key): boolean {
    let weight = weightOf(key);
    for (const other of this.all) if (exists(other)) weight += weightOf(other);
    return weight > this.limits.keys;
  }

  /** S12: whether one more of a line's runs has a place, under the line's cap and under the one over all lines. */
  holds(line: Line): Hold | null {
    const own = line.running;
    if (own >= line.options.concurrency) return "the line's cap";
    const free = this.limits.running - this.running;
    if (free <= 0) return "the process's cap";
    if (own === 0) return null;
    const half = Math.floor(this.limits.running / 2);
    if (free > half) return null;
    const idle = this.#declared.filter((other) => other !== line && other.running === 0).length;
    return free > Math.min(idle, half) ? null : "the reserve";
  }

  /** S6: in how many milliseconds the next lost key may start. */
  gateOpensIn(monotonic: number): number {
    if (this.gate === null || this.gate.key.run?.lease !== this.gate.lease) return 0;
    if (this.gate.isAlone) return Infinity;
    return Math.max(0, this.gate.startedAt + LOST_ALONE_MS - monotonic);
  }
}
