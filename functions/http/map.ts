import type { Context } from "hono";
import { API_VERSION, MAX_MAP_DEPTH, type MapAnswer, mapRequest, problemOf } from "../contract/index.ts";
import { mapToOf } from "../controller/manifest.ts";
import { mapRelated } from "../controller/map-related.ts";
import { refuseForeign } from "./commit.ts";
import type { IngressEnv } from "./ingress-env.ts";
import { parseBody } from "./parse-body.ts";
import { Refusal } from "./refusal.ts";

/** `POST /map/:controller/:relation`: the keys of related objects, where a mapping is code (R5). */
export async function mapObjects(c: Context<IngressEnv>): Promise<Response> {
  const { controllers = [], env, clusters, clock, logger } = c.var.options;
  const { cluster, objects } = parseBody(c.var.bytes, mapRequest, MAX_MAP_DEPTH);
  refuseForeign(c, cluster);
  const controller = controllers.find(({ name }) => name === c.req.param("controller"));
  const mapTo = controller && mapToOf(controller, c.req.param("relation") ?? "");
  if (!mapTo) throw new Refusal(404, problemOf("not-found", "no relation of this name is mapped by code"));
  const secrets = clusters.flatMap((each) => each.secrets);
  const deps = { cluster, env, clock, logger, secrets };
  const results = await Promise.all(objects.map((each) => mapRelated(controller, mapTo, each, deps)));
  return c.json({ apiVersion: API_VERSION, results } satisfies MapAnswer);
}
