import * as z from "zod";
import { apiVersion } from "./api-version.ts";
import { MAX_TRIGGERS } from "./limits.ts";
import { label, objectName } from "./object-ref.ts";
import { revision } from "./revision.ts";

/** Why a key runs: for logs and spans only, never to branch on. */
export const reason = z.enum([
  "object-updated",
  "related-object-updated",
  "requeue",
  "error-retry",
  "bulk",
  "webhook",
  "custom",
]);
export type Reason = z.infer<typeof reason>;

/** `live` is a change, `resync` a relist, a new revision or bulk (S11). */
export const lane = z.enum(["live", "resync"]);
export type Lane = z.infer<typeof lane>;

/** A request to reconcile a key. The cluster stands once in the batch around it. */
export const trigger = z.strictObject({
  controller: label,
  namespace: label.optional(),
  name: objectName,
  reason,
  lane,
  /** The uid that the relay saw, for logs. The scheduler learns uids from what runs observe (S13). */
  uid: z.string().max(64).optional(),
  /** What changed, for logs: `ConfigMap default/a MODIFIED`. */
  cause: z.string().max(512).optional(),
  /** The controller's revision that is to answer: a run that another one answered is due again (F7). */
  revision: revision.optional(),
});
export type Trigger = z.infer<typeof trigger>;

/** relay → `POST /triggers`. */
export const triggersRequest = z.strictObject({
  apiVersion,
  cluster: label,
  triggers: z.array(trigger).min(1).max(MAX_TRIGGERS),
});
export type TriggersRequest = z.infer<typeof triggersRequest>;
