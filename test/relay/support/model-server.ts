import type { KubeObject } from "../../../functions/kube/resource.ts";
import { objectOf } from "./objects.ts";

type Stored = ReturnType<typeof objectOf>;
type Entry = { version: number; type: "ADDED" | "MODIFIED" | "DELETED"; object: Stored };
type Snapshot = { version: number; objects: Map<string, Stored> };

/** What an API server does with one kind: versions, pages of a snapshot, a log that is compacted, a store put back. */
export class ModelServer {
  version = 10;
  objects = new Map<string, Stored>();
  private log: Entry[] = [];
  private compactedTo = 10;
  /** Never turned back by a restore, so that no two contents look the same. */
  private written = 0;
  private pages = new Map<string, { snapshot: Snapshot; from: number }>();
  private tokens = 0;
  private saved: Snapshot | undefined;

  create(name: string): void {
    const spec = ++this.written;
    if (!this.objects.has(name)) this.write("ADDED", name, { uid: `u${spec}`, generation: 1 }, spec);
  }

  update(name: string, what: "spec" | "status"): void {
    const before = this.objects.get(name);
    if (!before) return;
    const { uid, generation = 0 } = before.metadata;
    if (what === "status") this.write("MODIFIED", name, { uid, generation }, before.spec);
    else this.write("MODIFIED", name, { uid, generation: generation + 1 }, ++this.written);
  }

  delete(name: string): void {
    const before = this.objects.get(name);
    if (before) this.write("DELETED", name, { uid: before.metadata.uid }, before.spec);
  }

  compact(): void {
    this.compactedTo = this.version;
    this.log = [];
    this.pages.clear();
  }

  save(): void {
    this.saved = { version: this.version, objects: new Map(this.objects) };
  }

  /** Puts the saved store back, as from a backup. Returns whether that was another one. */
  restore(): boolean {
    if (!this.saved || this.saved.version === this.version) return false;
    this.objects = new Map(this.saved.objects);
    this.version = this.saved.version;
    this.compact();
    return true;
  }

  /** A page of two objects, undefined where the token has expired. */
  list(token: string | undefined): { items: KubeObject[]; resourceVersion: string; continue?: string } | undefined {
    const page =
      token === undefined
        ? { snapshot: { version: this.version, objects: new Map(this.objects) }, from: 0 }
        : this.pages.get(token);
    if (!page) return undefined;
    const all = [...page.snapshot.objects.values()];
    const items = all.slice(page.from, page.from + 2);
    const resourceVersion = String(page.snapshot.version);
    if (page.from + 2 >= all.length) return { items, resourceVersion };
    const next = `t${++this.tokens}`;
    this.pages.set(next, { ...page, from: page.from + 2 });
    return { items, resourceVersion, continue: next };
  }

  /** The first event after a version: undefined for none yet, `expired` where the log does not reach back so far. */
  after(version: number): Entry | "expired" | undefined {
    if (version < this.compactedTo) return "expired";
    return this.log.find((entry) => entry.version > version);
  }

  private write(type: Entry["type"], name: string, meta: { uid: string; generation?: number }, spec: unknown): void {
    this.version++;
    const object = objectOf({ name, resourceVersion: String(this.version), ...meta }, { spec });
    if (type === "DELETED") this.objects.delete(name);
    else this.objects.set(name, object);
    this.log.push({ version: this.version, type, object });
  }
}
