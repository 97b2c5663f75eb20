import type { Context } from "hono";
import { API_VERSION, MAX_BODY_BYTES, MAX_MAP_BYTES, MAX_PART_BYTES } from "../contract/index.ts";
import { getPart, putPart } from "./checkpoint.ts";
import type { IngressEnv } from "./ingress-env.ts";
import { mapObjects } from "./map.ts";
import { acceptTriggers } from "./triggers.ts";
import { wake } from "./wake.ts";

/** One route of the ingress. Whoever adds one adds its rows to the bad-input test, which reads this table. */
export type Route = {
  method: "GET" | "POST" | "PUT";
  path: string;
  /** Whether a relay must have signed the request. */
  signed: boolean;
  /** Most bytes of a body; a route without one reads as much to verify it, and then ignores it. */
  maxBytes: number;
  handle(c: Context<IngressEnv>): Response | Promise<Response>;
};

const CHECKPOINT = "/checkpoint/:cluster/:part";

/** All that the ingress answers; anything else is a 404, or a 405 on a path that is here. */
export const ingressRoutes: readonly Route[] = [
  { method: "GET", path: "/healthz", signed: false, maxBytes: 0, handle: healthz },
  { method: "GET", path: "/manifest", signed: true, maxBytes: 0, handle: getManifest },
  { method: "POST", path: "/triggers", signed: true, maxBytes: MAX_BODY_BYTES, handle: acceptTriggers },
  { method: "POST", path: "/wake", signed: true, maxBytes: MAX_BODY_BYTES, handle: wake },
  { method: "POST", path: "/map/:controller/:relation", signed: true, maxBytes: MAX_MAP_BYTES, handle: mapObjects },
  { method: "GET", path: CHECKPOINT, signed: true, maxBytes: 0, handle: getPart },
  { method: "PUT", path: CHECKPOINT, signed: true, maxBytes: MAX_PART_BYTES, handle: putPart },
];

/** Whether the process serves. It touches no store. */
function healthz(c: Context<IngressEnv>): Response {
  return c.json({ apiVersion: API_VERSION, status: "ok" });
}

/** Asked every minute by every relay (R12): nothing is sent again that the relay has. */
function getManifest(c: Context<IngressEnv>): Response {
  const { manifest } = c.var.options;
  const etag = `"${manifest.revision}"`;
  c.header("etag", etag);
  c.header("cache-control", "private, no-cache");
  const known = (c.req.header("if-none-match") ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return known.includes(etag) ? c.body(null, 304) : c.json(manifest);
}
