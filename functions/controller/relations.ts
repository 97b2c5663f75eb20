import * as z from "zod";
import type { KubeObject, Resource } from "../kube/resource.ts";
import { isFieldPath, isQualifiedName, oneOf, optionsOf } from "./names.ts";

/** What the client can do to a kind: `patch` is also what `apply` needs, beside `create`. */
export type Verb = "get" | "list" | "create" | "patch" | "delete";
export const VERBS: readonly Verb[] = ["get", "list", "create", "patch", "delete"];

/** A kind whose objects the controller makes: a change of one wakes its owner. */
export type Owns = {
  resource: Resource<KubeObject>;
  /**
   * `ignore`: an event that only this controller's own write caused does not wake the owner (R13). Default `trigger`, so
   * that code which waits for its child's event never hangs.
   */
  ownWrites?: "trigger" | "ignore";
  /** Which owner reference leads to the owner: the controller's (default), or any of the owner's kind (F8). */
  owner?: "controller" | "any";
};

/** A kind that the controller reads: a change of one wakes the objects that it concerns. */
export type Watches =
  /** A field of the primary names the object, in the primary's namespace: `.spec.secretName`. */
  | { resource: Resource<KubeObject>; namedBy: string; byLabel?: undefined }
  /** A label of the object names the primary, in the object's namespace. */
  | { resource: Resource<KubeObject>; byLabel: string; namedBy?: undefined };

/** What the code touches beyond its relations, in every namespace: it becomes RBAC, and nothing is watched. */
export type Access = { resource: Resource<KubeObject>; verbs: readonly Verb[] };

const FIELD_PATH = "must be a field path like .spec.secretName, at most 253 characters";
const LABEL_KEY = "must be a label key: a name of at most 63 characters, with a domain before / or not";

/** A kind, as the options of a controller name it. */
export const kind = z.custom<Resource>(isResource, "must be a kind: one of sluice/kinds, or a customResource");

export const ownsList = z.array(
  optionsOf("owns", {
    resource: kind,
    ownWrites: oneOf("trigger", "ignore").optional(),
    owner: oneOf("controller", "any").optional(),
  }),
  "must be a list",
);

export const watchesList = z.array(
  optionsOf("watches", {
    resource: kind,
    namedBy: z.string(FIELD_PATH).refine(isFieldPath, FIELD_PATH).optional(),
    byLabel: z.string(LABEL_KEY).refine(isQualifiedName, LABEL_KEY).optional(),
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
