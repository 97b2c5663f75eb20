import type { Context } from "hono";
import {
  API_VERSION,
  type Manifest,
  problemOf,
  type Trigger,
  type TriggersAnswer,
  triggersRequest,
} from "../contract/index.ts";
import type { Accepted } from "../ports/index.ts";
import type { IngressEnv } from "./ingress-env.ts";
import { parseBody } from "./parse-body.ts";
import { Refusal } from "./refusal.ts";

/** `POST /triggers`: what is answered with 202 and not rejected is durable (S3). A repeated batch merges (X1). */
export async function acceptTriggers(c: Context<IngressEnv>): Promise<Response> {
  const { manifest, scheduler, steps } = c.var.options;
  const { cluster, triggers } = parseBody(c.var.bytes, triggersRequest);
  if (!c.var.senders.has(cluster))
    throw new Refusal(
      403,
      problemOf("foreign-cluster", "cluster: is not the one whose secret signed this", { field: "cluster" }),
    );
  const scopes = scopesOf(manifest);
  const errors = triggers.map((trigger) => errorOf(trigger, scopes));
  const accepted = triggers.filter((_, index) => errors[index] === undefined);
  const { nextWakeInMs, epoch } = await commit(c, cluster, accepted);
  await steps?.reach("committed, not yet answered");
  const answer: TriggersAnswer = {
    apiVersion: API_VERSION,
    accepted: accepted.length,
    rejected: errors.flatMap((error, index) => (error === undefined ? [] : [{ index, error }])),
    nextWakeInMs,
    timer: scheduler.flags.timer,
    revision: manifest.revision,
    epoch,
  };
  return c.json(answer, 202);
}

async function commit(c: Context<IngressEnv>, cluster: string, triggers: readonly Trigger[]): Promise<Accepted> {
  const { scheduler, logger } = c.var.options;
  try {
    return await scheduler.accept(cluster, triggers);
  } catch (error) {
    logger.error("triggers could not be committed", { cluster, count: triggers.length, error: String(error) });
    throw new Refusal(503, problemOf("unavailable", "the scheduler could not commit the triggers"), {
      "retry-after": "1",
    });
  }
}

type Scope = { kind: string; scope: "Namespaced" | "Cluster" };

/** The kind of each controller's primary. */
function scopesOf(manifest: Manifest): Map<string, Scope> {
  return new Map(
    manifest.controllers.flatMap(({ name, relations }) => {
      const primary = relations.find(({ mapping }) => mapping.by === "self")?.watch.resource;
      return primary ? [[name, primary] as const] : [];
    }),
  );
}

/** Why a trigger alone is refused, with its field; the rest of its batch is accepted. */
function errorOf({ controller, namespace }: Trigger, scopes: ReadonlyMap<string, Scope>): string | undefined {
  const primary = scopes.get(controller);
  if (!primary) return `controller: ${controller} is unknown here`;
  if (primary.scope === "Namespaced" && namespace === undefined)
    return `namespace: is needed, since ${primary.kind} is namespaced`;
  if (primary.scope === "Cluster" && namespace !== undefined)
    return `namespace: must be left out, since ${primary.kind} is cluster-scoped`;
  return undefined;
}
