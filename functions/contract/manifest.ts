import * as z from "zod";
import { apiVersion } from "./api-version.ts";
import { labelSelector } from "./label-selector.ts";
import { label } from "./object-ref.ts";
import { predicate } from "./predicate.ts";
import { revision } from "./revision.ts";
import { schedulingOptions } from "./scheduling-options.ts";

/** A kind that the API server serves, and where: its plural and scope, so that nothing has to be discovered. */
export const resourceRef = z.object({
  /** Empty for the core group. */
  group: z.string(),
  version: z.string(),
  kind: z.string(),
  plural: z.string(),
  scope: z.enum(["Namespaced", "Cluster"]),
});
export type ResourceRef = z.infer<typeof resourceRef>;

/** One watch of the relay, shared by all relations that ask for the same (R8). */
export const watchSpec = z.object({
  resource: resourceRef,
  /** One watch in each of them; all namespaces where absent. */
  namespaces: z.array(label).optional(),
  /** Only in namespaces with these labels, as they come and go. Never beside `namespaces`. */
  namespaceSelector: labelSelector.optional(),
  ...labelSelector.shape,
  /** Values of fields that the API server can select by: `.metadata.name`. */
  matchFields: z.record(z.string(), z.string()).optional(),
});
export type WatchSpec = z.infer<typeof watchSpec>;

/** How an object of a watch leads to keys of the controller. */
export const mapping = z.discriminatedUnion("by", [
  z.object({ by: z.literal("self") }),
  /** The controller's owner reference, matched by group and kind; `any`: whichever owner (F8). */
  z.object({ by: z.literal("owner"), owner: z.enum(["controller", "any"]) }),
  /** A field of the primary names the object; the relay keeps the reverse index. */
  z.object({ by: z.literal("namedBy"), field: z.string() }),
  /** A label of the object names the primary. */
  z.object({ by: z.literal("label"), label: z.string() }),
  z.object({ by: z.literal("annotation"), annotation: z.string() }),
  /** A field of the object names the primary. */
  z.object({ by: z.literal("field"), field: z.string() }),
  /** The controller's own code tells the keys, over `/map`. */
  z.object({
    by: z.literal("code"),
    /** Another one where the code is another, so that its objects are mapped anew. */
    code: z.string(),
    /** What the code gets of an object. */
    objects: z.enum(["full", "metadata"]),
  }),
]);
export type Mapping = z.infer<typeof mapping>;

export const relation = z.object({
  /** Unique within its controller: `for`, `owns/ConfigMap`, `watches/Secret`. */
  id: z.string(),
  watch: watchSpec,
  predicate,
  mapping,
  /** `ignore` drops events that only this controller's field manager caused (R13). */
  ownWrites: z.enum(["trigger", "ignore"]),
});
export type Relation = z.infer<typeof relation>;

/** One rule of a ClusterRole, or of a Role in each of its namespaces. The gateway allows nothing that no rule names (X2). */
export const rbacRule = z.object({
  apiGroups: z.array(z.string()),
  resources: z.array(z.string()),
  verbs: z.array(z.string()),
  /** Everywhere where absent. */
  namespaces: z.array(label).optional(),
});
export type RbacRule = z.infer<typeof rbacRule>;

export const controllerManifest = z.object({
  name: label,
  /** The field manager of its writes: its own name. */
  fieldManager: z.string(),
  relations: z.array(relation).min(1),
  scheduling: schedulingOptions,
  rbac: z.array(rbacRule),
  /**
   * Of this controller alone; without it the deployment's counts. A new one re-reconciles its keys (R12). Functions that tell
   * it take it in triggers, and tell it in their answers (F7).
   */
  revision: revision.optional(),
  /** Hooks or schedules trigger its keys too, of which no relay hears: it asks `/wake` every 5 minutes (R12). */
  unseenTriggers: z.boolean().optional(),
});
export type ControllerManifest = z.infer<typeof controllerManifest>;

/** `GET /manifest`: what a function deployment declares. */
export const manifest = z.object({
  apiVersion,
  /** Of the whole deployment: another one where anything here is another. */
  revision,
  controllers: z.array(controllerManifest),
});
export type Manifest = z.infer<typeof manifest>;
