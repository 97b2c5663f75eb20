import { keyOf, objectKey, type ResourceName, type StoredObject } from "./stored-object.ts";

/** One change. `object` is the new version; of a deletion the last one, with the deletion's revision. */
export type StoreEvent = {
  revision: number;
  resource: ResourceName;
  type: "ADDED" | "MODIFIED" | "DELETED";
  object: StoredObject;
  previous?: StoredObject;
};

/**
 * All objects, and the log of how they came about. One revision counts the changes of all kinds, as etcd's does, and is
 * each object's resourceVersion.
 */
export class Store {
  readonly #objects = new Map<ResourceName, Map<string, StoredObject>>();
  readonly #log: StoreEvent[] = [];
  readonly #listeners = new Set<(event: StoreEvent) => void>();
  /** A listener may change objects itself: what follows from it is delivered after what led to it. */
  readonly #undelivered: StoreEvent[] = [];
  #delivering = false;
  #revision = 1;
  #compacted = 0;

  get revision(): number {
    return this.#revision;
  }

  /** Versions before this one can no longer be read or watched from. */
  get compacted(): number {
    return this.#compacted;
  }

  get(resource: ResourceName, namespace: string | undefined, name: string): StoredObject | undefined {
    return this.#objects.get(resource)?.get(objectKey(namespace, name));
  }

  /** In the order of their keys. */
  list(resource: ResourceName, namespace?: string): StoredObject[] {
    return sorted(this.#objects.get(resource) ?? new Map(), namespace);
  }

  /** The same as `list`, as it was right after the change with this revision. */
  listAt(revision: number, resource: ResourceName, namespace?: string): StoredObject[] {
    const objects = new Map(this.#objects.get(resource));
    for (let index = this.#log.length - 1; index >= 0; index--) {
      const event = this.#log[index]!;
      if (event.revision <= revision) break;
      if (event.resource !== resource) continue;
      if (event.previous) objects.set(keyOf(event.previous), event.previous);
      else objects.delete(keyOf(event.object));
    }
    return sorted(objects, namespace);
  }

  /** Stores a version. Its resourceVersion is set here. */
  put(resource: ResourceName, object: StoredObject): StoredObject {
    const objects = this.#objects.get(resource) ?? new Map<string, StoredObject>();
    this.#objects.set(resource, objects);
    const previous = objects.get(keyOf(object));
    const revision = ++this.#revision;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
    objects.set(keyOf(stored), stored);
    this.#emit({
      revision,
      resource,
      type: previous ? "MODIFIED" : "ADDED",
      object: stored,
      ...(previous && { previous }),
    });
    return stored;
  }

  /** Removes an object. Whoever watches sees it as it last was, with the version of its removal. */
  remove(resource: ResourceName, last: StoredObject): StoredObject {
    const objects = this.#objects.get(resource);
    const previous = objects?.get(keyOf(last));
    if (!objects || !previous) return last;
    objects.delete(keyOf(last));
    const revision = ++this.#revision;
    const object = { ...previous, metadata: { ...previous.metadata, resourceVersion: String(revision) } };
    this.#emit({ revision, resource, type: "DELETED", object, previous });
    return last;
  }

  /** The changes after a revision, oldest first. */
  since(revision: number): StoreEvent[] {
    let from = this.#log.length;
    while (from > 0 && this.#log[from - 1]!.revision > revision) from--;
    return this.#log.slice(from);
  }

  /** Forgets the log: whoever resumes from an older version gets 410. */
  compact(): void {
    this.#compacted = this.#revision;
    this.#log.length = 0;
  }

  /** Calls back after each change, in order. Returns what ends it. */
  subscribe(listener: (event: StoreEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #emit(event: StoreEvent): void {
    this.#log.push(event);
    this.#undelivered.push(event);
    if (this.#delivering) return;
    this.#delivering = true;
    try {
      for (let next = this.#undelivered.shift(); next; next = this.#undelivered.shift()) {
        for (const listener of [...this.#listeners]) listener(next);
      }
    } finally {
      this.#delivering = false;
    }
  }
}

function sorted(objects: ReadonlyMap<string, StoredObject>, namespace: string | undefined): StoredObject[] {
  const keys: string[] = [];
  for (const [key, object] of objects) {
    if (namespace === undefined || object.metadata.namespace === namespace) keys.push(key);
  }
  return keys.sort().map((key) => objects.get(key)!);
}
