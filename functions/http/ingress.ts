import type { MiddlewareHandler } from "hono";
import { Hono } from "hono/tiny";
import { CLOCK_HEADER, isSecret, problemOf } from "../contract/index.ts";
import { authenticate, preauthenticate } from "./authenticate.ts";
import { boundedBody, jsonOnly } from "./bounded-body.ts";
import type { IngressEnv, IngressOptions } from "./ingress-env.ts";
import { Refusal } from "./refusal.ts";
import { ingressRoutes, type Route } from "./routes.ts";

/**
 * The door for relays: verifies, validates, and commits to the scheduler before it answers.
 * @throws TypeError for a cluster without a usable secret, unless unsigned mode is asked for.
 * @example const response = await createIngress({ manifest, clusters, scheduler, clock, logger }).fetch(request);
 */
export function createIngress(options: IngressOptions): Hono<IngressEnv> {
  checkClusters(options);
  if (options.unsigned) options.logger.warn("unsigned mode: whoever reaches this ingress can trigger every key");

  const app = new Hono<IngressEnv>();
  app.use(async function provideOptions(c, next) {
    c.set("options", options);
    // This router takes /triggers/ for /triggers.
    if (c.req.path.endsWith("/")) c.res = await c.notFound();
    else await next();
    c.header(CLOCK_HEADER, String(Math.floor(options.clock.now())));
  });
  for (const route of ingressRoutes) app.on(route.method, [route.path], ...middlewareOf(route), route.handle);
  for (const path of new Set(ingressRoutes.map((route) => route.path)))
    app.all(path, () => {
      const allow = ingressRoutes.filter((route) => route.path === path).flatMap(methodsOf);
      const message = `${path} takes ${allow.join(", ")}`;
      throw new Refusal(405, problemOf("method-not-allowed", message, { field: "method" }), {
        allow: allow.join(", "),
      });
    });
  app.notFound((c) => new Refusal(404, problemOf("not-found", `there is no ${c.req.path} here`)).toResponse());
  app.onError((error) => {
    if (error instanceof Refusal) return error.toResponse();
    options.logger.error("the ingress failed", { error: String(error) });
    return new Refusal(500, problemOf("internal", "the ingress failed")).toResponse();
  });
  return app;
}

function middlewareOf(route: Route): MiddlewareHandler<IngressEnv>[] {
  if (!route.signed) return [];
  const read = [preauthenticate, boundedBody(route.maxBytes), authenticate];
  return route.method === "GET" ? read : [jsonOnly, ...read];
}

/** A GET is answered to HEAD too, without its body. */
function methodsOf({ method }: Route): string[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}

function checkClusters({ clusters, unsigned }: IngressOptions): void {
  if (clusters.length === 0) throw new TypeError("clusters: must name at least 1");
  const names = new Set<string>();
  for (const { name, secrets, embedded } of clusters) {
    if (names.has(name)) throw new TypeError(`clusters: two are named ${name}`);
    names.add(name);
    if (unsigned) continue;
    if (secrets.length === 0 && !embedded)
      throw new TypeError(`clusters: ${name} has no secret; unsigned mode must be asked for with unsigned: true`);
    if (!secrets.every(isSecret))
      throw new TypeError(`clusters: a secret of ${name} is not whsec_ and 24 to 64 bytes in base64`);
  }
}
