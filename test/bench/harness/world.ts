import { type BenchClient, type BenchObject, mergePatch } from "./client.ts";
import type { Controller } from "./controller.ts";
import { configMapsPath, documentsPath, newDocument } from "./documents.ts";
import { Expectation } from "./expectation.ts";
import { Follower } from "./follower.ts";
import { inParallel, pause } from "./pause.ts";

/** How a stretch of work ended. */
export type End = { ok: boolean; at: number; missing?: string };

/** Waits for the events that one change brings. */
export type Probe = { name: string; ownEvent?: number; configMap?: number; status?: number; onNews: () => void };

const limitMs = 600_000;

/** The cluster as the bench sees and expects it. */
export class World {
  readonly documents = new Map<string, Expectation>();
  readonly synced: Promise<unknown>;
  probe: Probe | undefined;
  /** Changes seen of Documents and their ConfigMaps. A write that changes nothing makes none. */
  events = 0;
  readonly #client: BenchClient;
  readonly #followers: readonly Follower[];
  readonly #waiters = new Set<() => void>();
  #pending = 0;
  #lastChangeAt = 0;

  constructor(client: BenchClient) {
    this.#client = client;
    const follow = (path: string, look: (expected: Expectation, object: BenchObject | undefined) => void) =>
      new Follower(client, path, (type, object, arrivedAt) => {
        const expected = this.documents.get(object.metadata.name);
        if (!expected) return;
        this.events++;
        look(expected, type === "DELETED" ? undefined : object);
        this.#judge(expected, arrivedAt);
        if (this.probe?.name === expected.name) this.#tellProbe(this.probe, expected, arrivedAt);
      });
    this.#followers = [
      follow(documentsPath, (expected, object) => expected.seeDocument(object)),
      follow(configMapsPath, (expected, object) => expected.seeConfigMap(object)),
    ];
    this.synced = Promise.all(this.#followers.map(({ synced }) => synced));
  }

  get watchBreaks(): number {
    return this.#followers.reduce((sum, { breaks }) => sum + breaks, 0);
  }

  stop(): void {
    for (const follower of this.#followers) follower.stop();
  }

  expected(name: string): Expectation {
    const expected = this.documents.get(name);
    if (!expected) throw new Error(`${name} is no Document of this bench`);
    return expected;
  }

  /** Creates Documents, 64 at a time, and waits until their own events have come. */
  async create(names: readonly string[]): Promise<void> {
    for (const name of names) this.documents.set(name, new Expectation(name));
    this.#pending += names.length;
    await inParallel(names, 64, (name) =>
      this.#client.text("POST", `${documentsPath}?fieldManager=bench`, newDocument(name)),
    );
    while (!names.every((name) => this.expected(name).exists)) await pause(20);
  }

  /** Gives a Document its next content. */
  async change(name: string): Promise<void> {
    const expected = this.expected(name);
    const patch = { spec: { content: expected.next() } };
    this.#judge(expected, performance.now());
    await this.#client.text("PATCH", `${documentsPath}/${name}?fieldManager=bench`, patch, mergePatch);
  }

  /** No longer expects anything of this Document. */
  forget(name: string): void {
    if (this.expected(name).convergedAt === undefined) this.#pending--;
    this.documents.delete(name);
  }

  /** Resolves once every Document has converged, the time is over, or the controller has ended. */
  converged(controller: Controller): Promise<End> {
    return new Promise((resolve) => {
      const finish = (why?: string) => {
        this.#waiters.delete(look);
        clearTimeout(timer);
        if (why) resolve({ ok: false, at: performance.now(), missing: `${why}; ${this.#missing()}` });
        else resolve({ ok: true, at: this.#lastChangeAt });
      };
      const look = () => {
        if (this.#pending === 0) finish();
      };
      const timer = setTimeout(() => finish(`time limit of ${limitMs / 1000} s`), limitMs);
      this.#waiters.add(look);
      void controller.exited.then(() => finish(`the controller ended (${controller.exitCode})`));
      look();
    });
  }

  #judge(expected: Expectation, at: number): void {
    const good = expected.missing().length === 0;
    if (good === (expected.convergedAt !== undefined)) return;
    expected.convergedAt = good ? at : undefined;
    this.#pending += good ? -1 : 1;
    this.#lastChangeAt = at;
    for (const look of this.#waiters) look();
  }

  #tellProbe(probe: Probe, expected: Expectation, at: number): void {
    if (expected.contentSeen) probe.ownEvent ??= at;
    if (expected.contentSeen && expected.statusCurrent) probe.status ??= at;
    if (expected.configMap === "equal") probe.configMap ??= at;
    probe.onNews();
  }

  #missing(): string {
    const groups = new Map<string, string[]>();
    for (const expected of this.documents.values()) {
      const why = expected.missing().join(" + ");
      if (why) groups.set(why, [...(groups.get(why) ?? []), expected.name]);
    }
    const parts = [...groups].map(([why, names]) => `${names.length} ${why} (${names.slice(0, 3).join(" ")})`);
    return `${this.#pending} of ${this.documents.size} not converged: ${parts.join("; ")}`;
  }
}
