import type { SchedulingOptions } from "../../functions/contract/index.ts";
import { DueQueue } from "./due-queue.ts";
import type { Entry, Queue } from "./entry.ts";
import type { LineName } from "./notes.ts";
import { FREE, type Pace } from "./pause.ts";

export const QUEUES: readonly Queue[] = ["live", "timer", "bulk"];

/** The line of a key, as text: the first two parts of the key's own. */
export const lineOf = ({ cluster, controller }: LineName): string => `${cluster}/${controller}`;

export const lineOfKey = (key: string): string => key.slice(0, key.indexOf("/", key.indexOf("/") + 1));

export function nameOf(line: string): LineName {
  const [cluster = "", controller = ""] = line.split("/");
  return { cluster, controller };
}

/** What is held of a controller in a cluster (S20): its keys by where they wait or run, and what holds all of them. */
export class Line {
  readonly name: string;
  /** Undefined while it is not declared (S17). */
  readonly options: SchedulingOptions | undefined;
  readonly live = new DueQueue();
  readonly timer = new DueQueue();
  readonly bulk = new DueQueue();
  /** Keys whose run was lost with its process: they run one at a time (S6). */
  readonly lost = new DueQueue();
  /** When the lease of each running key ends, on the monotonic clock (S18). */
  readonly running = new DueQueue();
  /** Those that wait and whose last run was refused, by when (S8). */
  readonly refused = new DueQueue();
  pace: Pace = FREE;

  constructor(name: string, options: SchedulingOptions | undefined) {
    this.name = name;
    this.options = options;
  }

  get waiting(): number {
    return this.live.size + this.timer.size + this.bulk.size + this.lost.size;
  }

  get size(): number {
    return this.waiting + this.running.size;
  }

  has(key: string): boolean {
    return this.running.has(key) || this.queues().some((queue) => queue.has(key));
  }

  /** Where keys wait. */
  queues(): DueQueue[] {
    return [this.lost, this.live, this.timer, this.bulk];
  }

  /** Puts a key where its entry says, but for {@link Line.running}. */
  place(key: string, entry: Entry | null): void {
    const waits = entry !== null && !entry.lease && entry.due !== null;
    const own = waits ? (entry.lost > 0 ? this.lost : this[entry.queue]) : undefined;
    for (const queue of this.queues()) if (queue !== own) queue.delete(key);
    if (waits) own!.set(key, entry.place);
    if (waits && entry.refused) this.refused.set(key, entry.refused.at);
    else this.refused.delete(key);
  }
}
