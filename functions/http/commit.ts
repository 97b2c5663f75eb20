import type { Context } from "hono";
import { API_VERSION, problemOf, type WakeAnswer } from "../contract/index.ts";
import type { Accepted } from "../ports/index.ts";
import type { IngressEnv, IngressOptions } from "./ingress-env.ts";
import { Refusal } from "./refusal.ts";

/**
 * Has the scheduler commit what a relay of this cluster asked for, and tells what every answer of the ingress says (R12).
 * @throws Refusal 403 for a cluster that is not the sender's (X2), 503 where the scheduler cannot commit (S3).
 */
export async function commit(
  c: Context<IngressEnv>,
  cluster: string,
  work: (scheduler: IngressOptions["scheduler"]) => Promise<Accepted>,
): Promise<{ answer: WakeAnswer; full: readonly number[] }> {
  const { manifest, scheduler, logger } = c.var.options;
  refuseForeign(c, cluster);
  try {
    const { nextWakeInMs, epoch, full = [] } = await work(scheduler);
    const { timer } = scheduler.flags;
    return { answer: { apiVersion: API_VERSION, nextWakeInMs, timer, revision: manifest.revision, epoch }, full };
  } catch (error) {
    logger.error("the scheduler could not commit", { cluster, path: c.req.path, error: String(error) });
    throw new Refusal(503, problemOf("unavailable", "the scheduler could not commit"), { "retry-after": "1" });
  }
}

/** @throws Refusal 403 for a cluster that is not the sender's (X2). */
export function refuseForeign(c: Context<IngressEnv>, cluster: string): void {
  if (c.var.senders.has(cluster)) return;
  const message = "cluster: is not the one whose secret signed this";
  throw new Refusal(403, problemOf("foreign-cluster", message, { field: "cluster" }));
}
