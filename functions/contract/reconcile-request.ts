import * as z from "zod";
import { apiVersion } from "./api-version.ts";
import { objectRef } from "./object-ref.ts";
import { reason } from "./trigger.ts";

/** scheduler → `POST /reconcile/:controller`. */
export const reconcileRequest = z.strictObject({
  apiVersion,
  key: objectRef,
  /** The uid that an earlier run observed, if the entry remembers one (S13). */
  uid: z.string().max(64).optional(),
  reasons: z.array(reason),
  /** Failures before this run, 0 for a key that is not in backoff (S15). */
  attempt: z.int().min(0),
  /** Whether a failure of this run counts, or the key runs early while in backoff (S6). */
  counts: z.boolean(),
  /** Names this run; an answer under another lease is discarded (S5). */
  lease: z.string().min(1).max(64),
  /** Milliseconds that the run may take, from when it is received. */
  deadlineMs: z.int().min(1),
  traceparent: z.string().max(128).optional(),
});
export type ReconcileRequest = z.infer<typeof reconcileRequest>;
