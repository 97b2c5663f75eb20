import type { Trigger } from "../../../functions/contract/index.ts";
import type { Accepted, Scheduler } from "../../../functions/ports/index.ts";
import type { ObjectNamespace } from "../../cloudflare-platform.ts";

/** What the Worker asks of a cluster's object. */
export type ObjectRequest = { cluster: string; triggers: readonly Trigger[] };

/** The scheduler as the Worker sees it: an object a cluster (S21), each one request away. */
export type RemoteScheduler = Pick<Scheduler, "flags" | "accept" | "wake">;

export function remoteScheduler(namespace: ObjectNamespace): RemoteScheduler {
  const ask = async (cluster: string, triggers: readonly Trigger[]): Promise<Accepted> => {
    const body = JSON.stringify({ cluster, triggers } satisfies ObjectRequest);
    const object = namespace.getByName(`cluster/${cluster}`);
    const response = await object.fetch("https://scheduler.invalid/", { method: "POST", body });
    if (response.ok) return (await response.json()) as Accepted;
    await response.body?.cancel();
    throw new Error(`the scheduler's object answered ${response.status}`);
  };
  return {
    flags: { durable: true, timer: "platform" },
    accept: ask,
    wake: (cluster) => ask(cluster, []),
  };
}
