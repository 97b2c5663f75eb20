import type { CheckMac } from "../../functions/contract/index.ts";
import type { Clock, KubeTransport, Logger, Steps } from "../../functions/ports/index.ts";
import type { IngressFetch } from "./deliver/ingress.ts";
import { createGateway, type Gateway } from "./gateway/gateway.ts";
import { createOwnUser } from "./gateway/own-user.ts";
import { followIdentity } from "./identity.ts";
import type { Metrics } from "./metrics/metric-table.ts";
import type { RelaySettings } from "./options.ts";
import { type Relay, type RelayOptions, startRelay } from "./relay.ts";

/**
 * A relay that runs apart from the functions and reaches them over HTTP. Signals are its caller's, and so is serving its
 * gateway, where the settings ask for one.
 * @example
 * const relay = runRelay({ ...relaySettings(flags, process.env), transport, clock, logger });
 * process.once("SIGTERM", () => relay.stop());
 */
export function runRelay(
  options: Omit<RelaySettings, "election"> & {
    election?: RelayOptions["election"];
    transport: KubeTransport;
    clock: Clock;
    logger: Logger;
    steps?: Steps;
    metrics?: Metrics;
    /** The way to the functions, through a proxy perhaps. Default: the platform's. */
    fetch?: Fetch;
    /** How the gateway checks signatures. Default: by Web Crypto. */
    checkMac?: CheckMac | undefined;
  },
): Relay & { gateway?: Gateway } {
  const { cluster, transport, clock, logger, identity: asked } = options;
  const identity = asked && followIdentity({ cluster, transport, clock, logger, random: Math.random, ...asked });
  const ownUser = createOwnUser(options.transport, options.logger);
  const gateway =
    options.gateway && createGateway({ ...options, ...options.gateway, ownUser, isRight: identity?.isRight });
  const ingress = overHttp(options.ingress, options.fetch);
  const relay = startRelay({
    ...options,
    ingress: gateway ? observed(ingress, gateway, options.clock) : ingress,
    random: Math.random,
    identity,
    ...(gateway && { onManifest: gateway.declare }),
  });
  return { ...relay, ...(gateway && { gateway }) };
}

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The functions at a URL, which may have a path before ours. */
function overHttp(base: URL, send: Fetch = (url, init) => fetch(url, init)): IngressFetch {
  const root = base.href.replace(/[?#].*$/, "").replace(/\/$/, "");
  // Followed, a redirect would turn a POST into a GET, or carry a signature to somebody else.
  return { fetch: (path, init) => send(`${root}${path}`, { ...init, redirect: "error" }) };
}

/** Tells the gateway of the functions' clock, which their answers carry (S5). */
function observed(ingress: IngressFetch, { offset }: Gateway, clock: Clock): IngressFetch {
  return {
    async fetch(path, init) {
      const askedAt = clock.monotonic();
      const answer = await ingress.fetch(path, init);
      offset.answered(askedAt, answer.headers);
      return answer;
    },
  };
}
