import type { Context } from "hono";
import { type Manifest, type Trigger, type TriggersAnswer, triggersRequest } from "../contract/index.ts";
import { commit } from "./commit.ts";
import type { IngressEnv } from "./ingress-env.ts";
import { parseBody } from "./parse-body.ts";

/** `POST /triggers`: what is answered with 202 and not rejected is durable (S3). A repeated batch merges (X1). */
export async function acceptTriggers(c: Context<IngressEnv>): Promise<Response> {
  const { manifest, steps } = c.var.options;
  const { cluster, triggers } = parseBody(c.var.bytes, triggersRequest);
  const scopes = scopesOf(manifest);
  const errors = triggers.map((trigger) => errorOf(trigger, scopes));
  const offered = [...triggers.keys()].filter((index) => errors[index] === undefined);
  const committed = await commit(c, cluster, (scheduler) =>
    scheduler.accept(
      cluster,
      offered.map((index) => triggers[index]!),
    ),
  );
  await steps?.reach("committed, not yet answered");
  for (const place of committed.full) errors[offered[place]!] = SHARD_FULL;
  const answer: TriggersAnswer = {
    ...committed.answer,
    accepted: offered.length - committed.full.length,
    rejected: errors.flatMap((error, index) => (error === undefined ? [] : [{ index, error }])),
  };
  return c.json(answer, 202);
}

/** S21: the relay holds such a trigger, and offers it again. */
const SHARD_FULL = "shard-full: the scheduler holds as many keys of this cluster as it can load";

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
