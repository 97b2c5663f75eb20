import {
  API_VERSION,
  type ControllerManifest,
  type Manifest,
  type Mapping,
  type Relation,
  type ResourceRef,
  type WatchSpec,
} from "../contract/index.ts";
import type { Controller } from "./controller.ts";
import { rbacOf } from "./rbac.ts";

/**
 * What a deployment of these controllers declares.
 * @throws TypeError where two controllers have the same name.
 */
export async function manifestOf(controllers: readonly Controller[]): Promise<Manifest> {
  const names = controllers.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new TypeError(`controllers: two are named ${twice}; a name must be unique`);
  const manifests = await Promise.all(
    controllers.map(async (controller): Promise<ControllerManifest> => {
      const declared = controllerManifestOf(controller);
      const code = [controller.reconcile, controller.cleanup, controller.errorPolicy].map(String);
      return { ...declared, revision: await hash([declared, code]) };
    }),
  );
  return { apiVersion: API_VERSION, revision: await hash(manifests), controllers: manifests };
}

/** A controller's part of the manifest, but for its revision. */
export function controllerManifestOf(controller: Controller): ControllerManifest {
  const { name, scheduling } = controller;
  return { name, fieldManager: name, relations: relationsOf(controller), scheduling, rbac: rbacOf(controller) };
}

function relationsOf(controller: Controller): Relation[] {
  const { for: primary, matchLabels, owns, watches } = controller;
  const taken = new Set<string>();
  const related = (ids: string[], resource: ResourceRef, rest: Pick<Relation, "mapping" | "ownWrites">): Relation => ({
    id: freeOf(ids, taken),
    watch: watchOf(controller, resource),
    predicate: "resourceVersion",
    ...rest,
  });
  return [
    {
      id: "for",
      watch: { ...watchOf(controller, primary), ...(matchLabels ? { matchLabels: { ...matchLabels } } : {}) },
      predicate: "generation",
      mapping: { by: "self" },
      ownWrites: "trigger",
    },
    ...owns.map(({ resource, owner = "controller", ownWrites = "trigger" }) => {
      const id = `owns/${resource.kind}`;
      return related([id, `${id}.${resource.group}`], resource, { mapping: { by: "owner", owner }, ownWrites });
    }),
    ...watches.map(({ resource, namedBy, byLabel = "" }) => {
      const id = `watches/${resource.kind}`;
      const by = namedBy ?? byLabel;
      const mapping: Mapping = namedBy === undefined ? { by: "label", label: by } : { by: "namedBy", field: by };
      const ids = [id, `${id}:${by}`, `${id}.${resource.group}:${by}`];
      return related(ids, resource, { mapping, ownWrites: "trigger" });
    }),
  ];
}

function watchOf({ namespaces }: Controller, resource: ResourceRef): WatchSpec {
  const { group, version, kind, plural, scope } = resource;
  return {
    resource: { group, version, kind, plural, scope },
    ...(namespaces && scope === "Namespaced" ? { namespaces: [...namespaces] } : {}),
  };
}

/** The shortest id that is free, so that a relation that is added behind the others renames none of them. */
function freeOf(ids: string[], taken: Set<string>): string {
  const id = ids.find((candidate) => !taken.has(candidate))!;
  taken.add(id);
  return id;
}

/** The revision of a declaration with its code, as far as that can be seen: what a function imports is not. */
async function hash(declared: unknown): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify(declared));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", text));
  return Array.from(digest.slice(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
