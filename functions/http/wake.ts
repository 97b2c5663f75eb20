import type { Context } from "hono";
import { wakeRequest } from "../contract/index.ts";
import { commit } from "./commit.ts";
import type { IngressEnv } from "./ingress-env.ts";
import { parseBody } from "./parse-body.ts";

/** `POST /wake`: the relay as the scheduler's watchdog, and as its timer where the platform has none (R12). */
export async function wake(c: Context<IngressEnv>): Promise<Response> {
  const { cluster } = parseBody(c.var.bytes, wakeRequest);
  const { answer } = await commit(c, cluster, (scheduler) => scheduler.wake(cluster));
  return c.json(answer, 202);
}
