import type { Clock, KubeTransport, Logger, Steps } from "../../functions/ports/index.ts";
import type { IngressFetch } from "./ingress.ts";
import type { RelaySettings } from "./options.ts";
import { type Relay, startRelay } from "./relay.ts";

/**
 * A relay that runs apart from the functions and reaches them over HTTP. Signals are its caller's.
 * @example
 * const relay = runRelay({ ...relaySettings(flags, process.env), transport, clock, logger });
 * process.once("SIGTERM", () => relay.stop());
 */
export function runRelay(
  options: RelaySettings & { transport: KubeTransport; clock: Clock; logger: Logger; steps?: Steps },
): Relay {
  return startRelay({ ...options, ingress: overHttp(options.ingress), random: Math.random });
}

/** The functions at a URL, which may have a path before ours. */
function overHttp(base: URL): IngressFetch {
  const root = base.href.replace(/[?#].*$/, "").replace(/\/$/, "");
  // Followed, a redirect would turn a POST into a GET, or carry a signature to somebody else.
  return { fetch: (path, init) => fetch(`${root}${path}`, { ...init, redirect: "error" }) };
}
