import * as z from "zod";
import type { Predicate } from "../contract/index.ts";
import type { KubeObject, Resource } from "../kube/resource.ts";
import type { Logger } from "../ports/index.ts";
import { selectorOption } from "./check-selection.ts";
import { anyFunction, isFieldPath, isQualifiedName, oneOf, optionsOf } from "./names.ts";
import type { Selection } from "./selection.ts";

export const LEADS = ["namedBy", "byLabel", "byAnnotation", "byField", "mapTo"] as const;

/** What the client can do to a kind: `patch` is also what `apply` needs, beside `create`. */
export type Verb = "get" | "list" | "create" | "patch" | "delete";
export const VERBS: readonly Verb[] = ["get", "list", "create", "patch", "delete"];

type Relation = {
  resource: Resource<KubeObject>;
  /** Only objects with these labels and fields; in the controller's namespaces either way. */
  selector?: Selection;
  /** Which changes count. Default: any. */
  predicate?: Predicate;
};

/** A kind whose objects the controller makes: a change of one wakes its owner. */
export type Owns = Relation & {
  /**
   * `ignore`: an event that only this controller's own write caused does not wake the owner (R13). Default `trigger`, so
   * that code which waits for its child's event never hangs.
   */
  ownWrites?: "trigger" | "ignore";
  /** Which owner reference leads to the owner: the controller's (default), or any of the owner's kind (F8). */
  owner?: "controller" | "any";
};

/** How an object leads to the primaries that it concerns: one of these. */
type Leads<Env> = {
  /** A field of the primary names the object, in the primary's namespace: `.spec.secretName`. */
  namedBy: string;
  /** A label of the object names the primary, in the object's namespace. */
  byLabel: string;
  /** An annotation of the object names the primary, in the object's namespace. */
  byAnnotation: string;
  /** A field of the object names the primary, in the object's namespace. */
  byField: string;
  /** Code names the primaries. */
  mapTo: MapTo<Env>;
};

/**
 * Tells which primaries an object concerns. Asked for each change, and once more where the object is deleted; those that it
 * told before are woken too. What it throws is logged, and it is asked again later.
 * @returns keys of this controller: at most 1,000.
 */
// biome-ignore lint/suspicious/noExplicitAny: the object's type is its writer's to name, as the kind is a value
export type MapTo<Env = any> = (object: any, context: MapContext<Env>) => Mapped | Promise<Mapped>;
type Mapped = readonly { namespace?: string | undefined; name: string }[];

/** What code that maps gets beside the object. There is no `kube`: it is asked often, and must answer by the object alone. */
export type MapContext<Env> = {
  env: Env;
  log: Logger;
  cluster: string;
  /** The object is gone: it comes as it was seen last. */
  deleted: boolean;
};

type OneOf<T> = { [K in keyof T]: Pick<T, K> & { [Other in Exclude<keyof T, K>]?: undefined } }[keyof T];

/** A kind that the controller reads: a change of one wakes the objects that it concerns. */
// biome-ignore lint/suspicious/noExplicitAny: as above
export type Watches<Env = any> = Relation &
  OneOf<Leads<Env>> & {
    /** What `mapTo` gets: whole objects (default), or their metadata, which costs the relay and the network less. */
    objects?: "full" | "metadata";
  };

/** What the code touches beyond its relations, in every namespace: it becomes RBAC, and nothing is watched. */
export type Access = { resource: Resource<KubeObject>; verbs: readonly Verb[] };

const FIELD_PATH = "must be a field path like .spec.secretName, at most 253 characters";
const LABEL_KEY = "must be a label key: a name of at most 63 characters, with a domain before / or not";

/** A kind, as the options of a controller name it. */
export const kind = z.custom<Resource>(isResource, "must be a kind: one of sluice/kinds, or a customResource");

const relationShape = { resource: kind, selector: selectorOption, predicate: z.unknown().optional() };
const path = z.string(FIELD_PATH).refine(isFieldPath, FIELD_PATH).optional();
const qualifiedName = z.string(LABEL_KEY).refine(isQualifiedName, LABEL_KEY).optional();

export const ownsList = z.array(
  optionsOf("owns", {
    ...relationShape,
    ownWrites: oneOf("trigger", "ignore").optional(),
    owner: oneOf("controller", "any").optional(),
  }),
  "must be a list",
);

export const watchesList = z.array(
  optionsOf("watches", {
    ...relationShape,
    namedBy: path,
    byLabel: qualifiedName,
    byAnnotation: qualifiedName,
    byField: path,
    mapTo: anyFunction.optional(),
    objects: oneOf("full", "metadata").optional(),
  }),
  "must be a list",
);

const verb = z.custom<Verb>((value) => VERBS.includes(value as Verb), {
  error: ({ input }) => `${typeof input === "string" ? input : "it"} is none of ${VERBS.join(", ")}`,
});

export const accessList = z.array(
  optionsOf("access", { resource: kind, verbs: z.array(verb, "must be a list").min(1, "must name at least 1 verb") }),
  "must be a list",
);

function isResource(value: unknown): boolean {
  const { group, version, kind, plural, scope } = (value ?? {}) as Partial<Resource>;
  const texts = [version, kind, plural];
  const served = texts.every((text) => typeof text === "string" && text !== "") && typeof group === "string";
  return served && (scope === "Namespaced" || scope === "Cluster");
}
