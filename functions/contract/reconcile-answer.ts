import * as z from "zod";
import { action } from "./action.ts";
import { apiVersion } from "./api-version.ts";
import { MAX_ERROR_LENGTH } from "./limits.ts";

/** What the run read: the scheduler learns of a recreated object from it (S13). */
const observed = z.object({ uid: z.string(), resourceVersion: z.string() }).optional();
const error = z.string().max(MAX_ERROR_LENGTH);

/** function → scheduler, a union by outcome (S7). `revision` is the controller's whose code ran (F7). */
export const reconcileAnswer = z.discriminatedUnion("outcome", [
  z.object({ apiVersion, outcome: z.literal("success"), action, observed, revision: z.string().optional() }),
  z.object({
    apiVersion,
    outcome: z.literal("error"),
    error,
    /**
     * The delay that the error policy chose, or a `RetryAfterError`; without one the scheduler's backoff decides. In an
     * early run (`counts` is false) only a `RetryAfterError` sets it, and it can only move the retry later (S7).
     */
    retryAfterMs: z.int().min(0).optional(),
    observed,
    revision: z.string().optional(),
  }),
  z.object({ apiVersion, outcome: z.literal("terminal"), error, observed, revision: z.string().optional() }),
  z.object({ apiVersion, outcome: z.literal("gone"), observed, revision: z.string().optional() }),
]);
export type ReconcileAnswer = z.infer<typeof reconcileAnswer>;
