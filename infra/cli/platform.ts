import type { CredentialSource, Environment } from "../../adapters/runtime/node/kube-config/credentials.ts";
import type { Listener, ListenOptions } from "../../adapters/runtime/node/listen.ts";
import type { CheckMac } from "../../functions/contract/index.ts";
import type { KubeTransport, Logger } from "../../functions/ports/index.ts";

/** What a relay's process does in another way on each platform. */
export type Platform = {
  connectKube(
    source: CredentialSource,
    options: { logger: Logger },
  ): Promise<KubeTransport & { close(): Promise<void> }>;
  listenOn(fetch: (request: Request) => Response | Promise<Response>, options: ListenOptions): Promise<Listener>;
  /** A `fetch` for one origin, through the proxy that the environment names for it. */
  proxiedFetch(origin: URL, env: Environment): (url: string, init?: RequestInit) => Promise<Response>;
  /** Where it knows a better way than Web Crypto's. */
  checkMac?: CheckMac;
};

/** The platform that this process runs on. Loaded when asked for: the other one's code would only take memory. */
export function platform(): Promise<Platform> {
  return "Deno" in globalThis ? import("../../adapters/runtime/deno/index.ts") : import("./node-platform.ts");
}
