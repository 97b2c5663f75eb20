import type { KubeTransport, Logger, Steps } from "../ports/index.ts";
import { apply } from "./apply.ts";
import { ConflictError, isAbsent } from "./errors.ts";
import { find, type Place } from "./find.ts";
import type { ApplyOptions, JsonPatchOperation, Kube, ObjectName, StatusOf } from "./kube.ts";
import { list } from "./list.ts";
import { collectionPath, objectPath } from "./paths.ts";
import type { ResourceRegistry } from "./registry.ts";
import type { Draft, KubeObject, Resource } from "./resource.ts";
import { createSender, type Fence } from "./send.ts";
import { testUid } from "./status-patch.ts";
import { writeStatus } from "./write-status.ts";

export type KubeOptions = Fence & {
  transport: KubeTransport;
  /** The kinds that the controller declared. */
  resources: ResourceRegistry;
  /** Stands in `managedFields` of what is written: the controller's name. */
  fieldManager: string;
  /** Told of what the API server warns of, each warning once. */
  log?: Logger;
  /** For tests: told of the first write that was accepted. */
  steps?: Steps;
};

/**
 * The client of one run: cheap to make, and without state but its deadline. What it reads is parsed with the resource's
 * schema (F9). What a write answers is not: the API server has just checked it and set the defaults, and a write that was
 * done must not look like one that failed.
 * @example
 * const kube = createKube({ transport, resources: resourceRegistry([Document]), fieldManager: "documents", signal });
 * const doc = await kube.get(Document, { namespace: "default", name: "a" });
 */
export function createKube(options: KubeOptions): Kube {
  const { resources } = options;
  const sender = createSender(options.transport, options, options);
  const fieldManager = encodeURIComponent(options.fieldManager);
  const managed = (path: string) => `${path}?fieldManager=${fieldManager}`;

  /** @throws TypeError where the kind is not declared, or no object can have this name. */
  function placeOf(kind: { apiVersion: string; kind: string }, name: ObjectName, verb: string): Place {
    const resource = resources.of(kind, verb);
    return { resource, name: name.name, path: objectPath(resource, name) };
  }

  return {
    async get(resource, name) {
      return parsed(resource, await sender.read(placeOf(resource, name, "get").path));
    },

    async find(resource, name) {
      const object = await find(sender, placeOf(resource, name, "get"));
      return object && parsed(resource, object);
    },

    async *list(resource, listOptions = {}) {
      resources.of(resource, "list");
      for await (const item of list(sender, resource, listOptions)) yield parsed(resource, item);
    },

    async create<T extends KubeObject>(draft: Draft<T>) {
      // Checks the name too, which stands in no path here: what is created must be found again.
      const { resource } = placeOf(draft, draft.metadata, "create");
      const path = managed(collectionPath(resource, draft.metadata.namespace));
      return (await sender.write("POST", path, "json", draft)) as T;
    },

    async apply<T extends KubeObject>(draft: Draft<T>, applyOptions: ApplyOptions = {}) {
      const target = { ...placeOf(draft, draft.metadata, "patch"), fieldManager };
      return (await apply(sender, target, draft, applyOptions)) as T;
    },

    async jsonPatch<T extends KubeObject>(object: T, operations: readonly JsonPatchOperation[]) {
      const { path } = placeOf(object, object.metadata, "patch");
      return (await sender.write("PATCH", managed(path), "jsonPatch", [testUid(object), ...operations])) as T;
    },

    async mergePatch<T extends KubeObject>(object: T, patch: Record<string, unknown>) {
      const { path } = placeOf(object, object.metadata, "patch");
      const metadata = { ...(patch.metadata as object | undefined), uid: object.metadata.uid };
      return (await sender.write("PATCH", managed(path), "mergePatch", { ...patch, metadata })) as T;
    },

    async patchStatus<T extends KubeObject>(object: T, status: StatusOf<T>) {
      const target = { ...placeOf(object, object.metadata, "patch"), fieldManager };
      return (await writeStatus(sender, target, object, status)) as T;
    },

    async delete(object, { propagationPolicy = "Background" } = {}) {
      const place = placeOf(object, object.metadata, "delete");
      const { uid } = object.metadata;
      const body = { apiVersion: "v1", kind: "DeleteOptions", preconditions: { uid }, propagationPolicy };
      try {
        await sender.write("DELETE", place.path, "json", body);
      } catch (error) {
        if (isAbsent(error, place)) return;
        if (!(error instanceof ConflictError)) throw error;
        // A conflict may also mean something else, as with a namespace that is still being emptied.
        const there = await find(sender, place);
        if (there?.metadata.uid === uid) throw error;
      }
    },
  };
}

function parsed<T extends KubeObject>(resource: Resource<T>, object: unknown): T {
  return resource.parse ? resource.parse(object as KubeObject) : (object as T);
}
