import type { KubeObject, Resource } from "../kube/resource.ts";

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
