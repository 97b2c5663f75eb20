import type { MiddlewareHandler } from "hono";
import { problemOf } from "../contract/index.ts";
import type { IngressEnv } from "./ingress-env.ts";
import { readBody } from "./read-body.ts";
import { Refusal } from "./refusal.ts";

/** Refuses what does not say that it is plain JSON. */
export const jsonOnly: MiddlewareHandler<IngressEnv> = async (c, next) => {
  const [type = ""] = (c.req.header("content-type") ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/json")
    throw new Refusal(
      415,
      problemOf("unsupported-media-type", "content-type must be application/json", { field: "content-type" }),
    );
  if ((c.req.header("content-encoding") ?? "identity") !== "identity")
    throw new Refusal(
      415,
      problemOf("unsupported-media-type", "a body must not be compressed", { field: "content-encoding" }),
    );
  return next();
};

/** Reads the body's raw bytes, for the signature and for the handler. */
export function boundedBody(maxBytes: number): MiddlewareHandler<IngressEnv> {
  return async (c, next) => {
    c.set("bytes", await readBody(c.req.raw, maxBytes));
    return next();
  };
}
