import type { Trigger } from "../../../functions/contract/index.ts";
import type { Accepted, Scheduler } from "../../../functions/ports/index.ts";
import type { ObjectNamespace } from "../../cloudflare-platform.ts";

/** The one shard. */
const SHARD = "0";

/** What the Worker asks of the object. */
export type ObjectRequest = { cluster: string; triggers: readonly Trigger[] };

/** The scheduler as the Worker sees it: its object, one request away. */
export type RemoteScheduler = Pick<Scheduler, "flags" | "accept" | "wake">;

export function remoteScheduler(namespace: ObjectNamespace): RemoteScheduler {
  const ask = async (request: ObjectRequest): Promise<Accepted> => {
    const body = JSON.stringify(request);
    const response = await namespace.getByName(SHARD).fetch("https://scheduler.invalid/", { method: "POST", body });
    if (response.ok) return (await response.json()) as Accepted;
    await response.body?.cancel();
    throw new Error(`the scheduler's object answered ${response.status}`);
  };
  return {
    flags: { durable: true, timer: "platform" },
    accept: (cluster, triggers) => ask({ cluster, triggers }),
    wake: () => ask({ cluster: "", triggers: [] }),
  };
}
