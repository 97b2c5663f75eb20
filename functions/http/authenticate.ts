import type { MiddlewareHandler } from "hono";
import { problemOf, refusalByHeaders, SIGNATURE_TOLERANCE_SECONDS, verify } from "../contract/index.ts";
import { embeddedSender } from "./in-process.ts";
import type { IngressEnv } from "./ingress-env.ts";
import { Refusal } from "./refusal.ts";

/** The header that a refusal is about. */
const FIELDS = {
  "missing-signature": { field: "webhook-signature" },
  "bad-signature": { field: "webhook-signature" },
  "stale-timestamp": { field: "webhook-timestamp", limit: `${SIGNATURE_TOLERANCE_SECONDS} s` },
};

/** Refuses what its headers alone show to be unsigned or stale, before a byte of its body is read and kept (X3). */
export const preauthenticate: MiddlewareHandler<IngressEnv> = async (c, next) => {
  const { clock, unsigned } = c.var.options;
  const refused =
    unsigned || embeddedSender(c.env) !== undefined ? undefined : refusalByHeaders(c.req.raw.headers, clock.now());
  if (refused) throw new Refusal(401, problemOf(refused.code, refused.message, FIELDS[refused.code]));
  return next();
};

/** Verifies the signature over the raw bytes, before anything is parsed, and finds out who sent them (X1, X2). */
export const authenticate: MiddlewareHandler<IngressEnv> = async (c, next) => {
  const { clusters, clock, unsigned } = c.var.options;
  const embedded = embeddedSender(c.env);
  if (embedded !== undefined) {
    c.set("senders", new Set([embedded]));
    return next();
  }
  if (unsigned) {
    c.set("senders", new Set(clusters.map(({ name }) => name)));
    return next();
  }
  const secrets = clusters.flatMap((cluster) => cluster.secrets);
  const verified = await verify(secrets, c.req.raw.headers, { now: clock.now(), body: c.var.bytes });
  if (!verified.ok) throw new Refusal(401, problemOf(verified.code, verified.message, FIELDS[verified.code]));
  const senders = clusters.filter((cluster) => cluster.secrets.includes(verified.secret)).map(({ name }) => name);
  c.set("senders", new Set(senders));
  return next();
};
