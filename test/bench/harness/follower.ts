import { BenchApiError, type BenchClient, type BenchObject } from "./client.ts";
import { pause } from "./pause.ts";

export type OnChange = (type: "ADDED" | "MODIFIED" | "DELETED", object: BenchObject, arrivedAt: number) => void;

type Page = { metadata: { resourceVersion: string; continue?: string }; items: BenchObject[] };

/** Lists once, then watches until it is stopped. What goes missing while a list is taken anew counts as DELETED. */
export class Follower {
  readonly synced: Promise<void>;
  /** Watches that ended early: latencies around one are worth less. */
  breaks = 0;
  readonly #client: BenchClient;
  readonly #path: string;
  readonly #onChange: OnChange;
  readonly #stop = new AbortController();
  readonly #known = new Map<string, BenchObject>();

  constructor(client: BenchClient, path: string, onChange: OnChange) {
    this.#client = client;
    this.#path = path;
    this.#onChange = onChange;
    this.synced = new Promise((resolve) => void this.#run(resolve));
  }

  stop(): void {
    this.#stop.abort();
  }

  async #run(onSynced: () => void): Promise<void> {
    const { signal } = this.#stop;
    let version: string | undefined;
    while (!signal.aborted) {
      try {
        if (version === undefined) {
          version = await this.#list();
          onSynced();
        }
        const from: string = version;
        await this.#client.watch(
          this.#path,
          from,
          ({ type, object }, arrivedAt) => {
            if (type === "ERROR") throw new BenchApiError(object.code ?? 0, "WATCH", this.#path, object.message ?? "");
            version = object.metadata.resourceVersion;
            if (type !== "BOOKMARK") this.#change(type as "ADDED", object, arrivedAt);
          },
          signal,
        );
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof BenchApiError && error.status === 410) version = undefined;
        else await pause(200);
      }
      this.breaks++;
    }
  }

  async #list(): Promise<string> {
    const seen = new Map<string, BenchObject>();
    let next: string | undefined = "";
    let version = "";
    while (next !== undefined) {
      const page: Page = await this.#client.json<Page>(
        "GET",
        `${this.#path}?limit=500${next && `&continue=${encodeURIComponent(next)}`}`,
      );
      for (const item of page.items) seen.set(item.metadata.name, item);
      version = page.metadata.resourceVersion;
      next = page.metadata.continue || undefined;
    }
    const now = performance.now();
    for (const [name, object] of [...this.#known]) if (!seen.has(name)) this.#change("DELETED", object, now);
    for (const object of seen.values()) this.#change("ADDED", object, now);
    return version;
  }

  #change(type: "ADDED" | "MODIFIED" | "DELETED", object: BenchObject, arrivedAt: number): void {
    if (type === "DELETED") this.#known.delete(object.metadata.name);
    else this.#known.set(object.metadata.name, object);
    this.#onChange(type, object, arrivedAt);
  }
}
