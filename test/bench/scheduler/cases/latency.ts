import { pause } from "../../harness/pause.ts";
import { type Spread, spread } from "../../harness/statistics.ts";
import { awaitsChange, Runs } from "../runs.ts";
import { type Sampling, sampleStarts } from "../sampling.ts";
import { openSettled, type Session, type SessionOptions } from "../session.ts";
import { refOf, triggerOf } from "../triggering.ts";

export type Latency = { idleStart: Spread; idleAccepted: Spread; loadedStart: Spread };

const GAP_MS = 10;
const RUN_MS = 5;
/** Every 10 ms: 500 a second. */
const LOAD_BATCH = 5;

/** Milliseconds from a trigger to the start of its run, and to its acceptance: one at a time, and beside 500 runs a second. */
export async function latency(
  at: Pick<SessionOptions, "store" | "path">,
  { idle, loaded }: { idle: number; loaded: Sampling },
): Promise<Latency> {
  const runs = new Runs(({ name }) => ({ takesMs: name.startsWith("load") ? RUN_MS : 0, answer: awaitsChange }));
  const session = await openSettled({ ...at, runs, scheduling: { concurrency: 64 } });
  await oneAtATime(session, 50, "warm");
  const { starts, accepts } = await oneAtATime(session, idle, "idle");
  const load = new Load(session);
  const { a: loadedStarts = [] } = await sampleStarts(session, ["a"], loaded);
  load.stop();
  return { idleStart: spread(starts), idleAccepted: spread(accepts), loadedStart: spread(loadedStarts) };
}

async function oneAtATime({ scheduler, runs }: Session, count: number, prefix: string) {
  const starts: number[] = [];
  const accepts: number[] = [];
  for (let i = 0; i < count; i++) {
    await pause(GAP_MS);
    const ref = refOf("a", `${prefix}-${i}`);
    const started = runs.startOf(ref);
    const at = performance.now();
    const accepted = scheduler.accept("a", [triggerOf(ref)]).then(() => performance.now());
    starts.push((await started) - at);
    accepts.push((await accepted) - at);
  }
  return { starts, accepts };
}

/** Triggers of ever new keys. */
class Load {
  readonly #timer: NodeJS.Timeout;
  #next = 0;

  constructor({ scheduler }: Session) {
    this.#timer = setInterval(() => {
      const triggers = Array.from({ length: LOAD_BATCH }, () => triggerOf(refOf("a", `load-${this.#next++}`)));
      void scheduler.accept("a", triggers);
    }, GAP_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
