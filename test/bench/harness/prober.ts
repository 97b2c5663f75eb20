import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { type Spread, spread } from "./statistics.ts";

/** Times GETs of one address, one every `everyMs`, from a thread of its own. */
export class Prober {
  readonly #thread: Worker;

  constructor(url: string, everyMs: number) {
    this.#thread = new Worker(join(import.meta.dirname, "prober-thread.ts"), { workerData: { url, everyMs } });
  }

  /**
   * Milliseconds that the answers took, once all have come.
   * @throws Error where one failed.
   */
  async stop(): Promise<Spread> {
    this.#thread.postMessage("stop");
    const [{ waits, failures }] = (await once(this.#thread, "message")) as [{ waits: number[]; failures: string[] }];
    await this.cancel();
    if (failures.length > 0) throw new Error(`${failures.length} of ${waits.length} GETs failed: ${failures[0]}`);
    return spread(waits);
  }

  /** Sends nothing more, and forgets what it measured. */
  async cancel(): Promise<void> {
    await this.#thread.terminate();
  }
}
