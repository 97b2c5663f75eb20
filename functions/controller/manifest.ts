import {
  API_VERSION,
  type ControllerManifest,
  type Manifest,
  type Mapping,
  type Relation,
  type WatchSpec,
} from "../contract/index.ts";
import type { Controller } from "./controller.ts";
import { rbacOf } from "./rbac.ts";
import { LEADS, type Owns, type Watches } from "./relations.ts";
import { isList } from "./selection.ts";

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
  const { for: primary, selector, predicate, owns, watches } = controller;
  const taken = new Set<string>();
  const related = (ids: string[], of: Owns | Watches, rest: Pick<Relation, "mapping" | "ownWrites">): Relation => ({
    id: freeOf(ids, taken),
    watch: watchOf(controller, of),
    predicate: of.predicate ?? "resourceVersion",
    ...rest,
  });
  return [
    {
      id: "for",
      watch: watchOf(controller, { resource: primary, ...(selector && { selector }) }),
      predicate: predicate ?? "generation",
      mapping: { by: "self" },
      ownWrites: "trigger",
    },
    ...owns.map((of) => {
      const { resource, owner = "controller", ownWrites = "trigger" } = of;
      const id = `owns/${resource.kind}`;
      return related([id, `${id}.${resource.group}`], of, { mapping: { by: "owner", owner }, ownWrites });
    }),
    ...watches.map((of) => {
      const { kind, group } = of.resource;
      const id = `watches/${kind}`;
      const by = LEADS.map((lead) => of[lead]).find((lead) => typeof lead === "string") ?? "mapTo";
      const ids = [id, `${id}:${by}`, `${id}.${group}:${by}`];
      return related(ids, of, { mapping: mappingOf(of), ownWrites: "trigger" });
    }),
  ];
}

/** The code that tells the keys of a relation by `code`; undefined for another. */
export function mapToOf(controller: Controller, relation: string): Watches["mapTo"] {
  const at = relationsOf(controller).findIndex(({ id }) => id === relation);
  return controller.watches[at - 1 - controller.owns.length]?.mapTo;
}

/** Each way to lead to a primary by a name, as the wire has it. */
const BY_NAME = [
  ["namedBy", "namedBy", "field"],
  ["byLabel", "label", "label"],
  ["byAnnotation", "annotation", "annotation"],
  ["byField", "field", "field"],
] as const;

function mappingOf(of: Watches): Mapping {
  const named = BY_NAME.find(([lead]) => of[lead] !== undefined);
  if (named) return { by: named[1], [named[2]]: of[named[0]] } as Mapping;
  return { by: "code", code: sumOf(String(of.mapTo)), objects: of.objects ?? "full" };
}

function watchOf({ namespaces }: Controller, { resource, selector }: Pick<Owns, "resource" | "selector">): WatchSpec {
  const { group, version, kind, plural, scope } = resource;
  const where = isList(namespaces ?? {}) ? { namespaces } : { namespaceSelector: namespaces };
  return structuredClone({
    resource: { group, version, kind, plural, scope },
    ...(namespaces && scope === "Namespaced" ? where : {}),
    ...selector,
  }) as WatchSpec;
}

/** Tells one code from another. Nothing secret hangs on it, so that it need not be waited for as a digest must. */
function sumOf(text: string): string {
  let sum = text.length;
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  return (sum >>> 0).toString(36);
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
