import type { Draft, KubeObject, Resource } from "./resource.ts";

/** Which object: its namespace only where the kind is namespaced. */
export type ObjectName = { namespace?: string; name: string };

/** One operation of a JSON patch (RFC 6902). */
export type JsonPatchOperation =
  | { op: "add" | "replace" | "test"; path: string; value: unknown }
  | { op: "remove"; path: string }
  | { op: "move" | "copy"; from: string; path: string };

export type ListOptions = {
  /** All namespaces where absent. */
  namespace?: string;
  labelSelector?: string;
  fieldSelector?: string;
};

export type ApplyOptions = {
  /**
   * The object that owns it: sets the controller owner reference. Applied without force; on a conflict only what already
   * belongs to this owner is forced (F8).
   */
  owner?: KubeObject;
  /** `false` refuses an existing object that this owner does not own. Default: it is adopted where no field conflicts. */
  adopt?: boolean;
};

export type DeleteOptions = {
  /** Default `Background`, as kubectl. */
  propagationPolicy?: "Background" | "Foreground" | "Orphan";
};

/** The typed client that a run gets: fetch only, never caches, sends nothing past the run's deadline (S5). */
export interface Kube {
  /** @throws NotFoundError */
  get<T extends KubeObject>(resource: Resource<T>, name: ObjectName): Promise<T>;
  /** As `get`, but undefined where the object does not exist. */
  find<T extends KubeObject>(resource: Resource<T>, name: ObjectName): Promise<T | undefined>;
  /** Reads pages of 500 as they are asked for; an expired page token restarts the list. */
  list<T extends KubeObject>(resource: Resource<T>, options?: ListOptions): AsyncIterable<T>;
  /** @throws ConflictError with the reason AlreadyExists */
  create<T extends KubeObject>(object: Draft<T>): Promise<T>;
  /**
   * Server-side apply under the controller's field manager, never forced on what is not its owner's: one request, where
   * nobody disputes a field. Without an owner no uid can stand guard (F4): keep that for objects that outlive the run's.
   * @throws ConflictError naming the field and its manager.
   */
  apply<T extends KubeObject>(object: Draft<T>, options?: ApplyOptions): Promise<T>;
  /** JSON patch; carries a `test` of the object's uid (F4). */
  jsonPatch<T extends KubeObject>(object: T, operations: readonly JsonPatchOperation[]): Promise<T>;
  /** JSON merge patch; carries the object's uid (F4). */
  mergePatch<T extends KubeObject>(object: T, patch: Record<string, unknown>): Promise<T>;
  /**
   * Sets fields of the status as a JSON patch on `/status` with a `test` of the uid (F4). Writes nothing where they are
   * already so (F5), and returns the object as it then is. A field is set as a whole; one given as undefined is removed.
   */
  patchStatus<T extends KubeObject>(object: T, status: StatusOf<T>): Promise<T>;
  /** Deletes with the object's uid as a precondition (F4). An object that is gone already is no error. */
  delete(object: KubeObject, options?: DeleteOptions): Promise<void>;
}

/** What may be set of a kind's status. */
export type StatusOf<T> = T extends { status?: infer S } ? Partial<NonNullable<S>> : Record<string, unknown>;
