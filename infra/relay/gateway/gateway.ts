import { Hono } from "hono";
import {
  type CheckMac,
  type ControllerManifest,
  GATEWAY_HEADERS,
  type Manifest,
} from "../../../functions/contract/index.ts";
import type { Clock, KubeTransport, Logger } from "../../../functions/ports/index.ts";
import type { Metrics } from "../metrics/metric-table.ts";
import { type Accounts, userOf } from "./accounts.ts";
import { checkAllowed } from "./allow-list.ts";
import { type Ask, askOf } from "./ask.ts";
import { auditOf } from "./audit.ts";
import { authenticate, type Caller } from "./authenticate.ts";
import { Calm } from "./calm.ts";
import { ClockOffset } from "./clock-offset.ts";
import { forward } from "./forward.ts";
import { Opening } from "./opening.ts";
import { withoutOwn } from "./own-objects.ts";
import type { OwnUser } from "./own-user.ts";
import { BodyReader } from "./read-body.ts";
import { Refusal } from "./refusal.ts";
import { SeenIds } from "./seen-ids.ts";
import { DEFAULT_LIMITS, type GatewayLimits, Turns } from "./turns.ts";

/** Who functions are for the API server, and what is kept from them. */
export type GatewayIdentity = Accounts & {
  /** The relay's own namespace, where it runs in the cluster: Secrets and Leases there are out of reach. */
  ownNamespace?: string;
};

export type GatewayOptions = GatewayIdentity & {
  cluster: string;
  /** What functions sign with; several while one is being replaced. */
  secrets: readonly string[];
  /** The relay's own way to the API server: its account may impersonate the functions' and is never used otherwise here. */
  transport: KubeTransport;
  clock: Clock;
  logger: Logger;
  metrics?: Metrics | undefined;
  /** Whether this is the right cluster. */
  isRight?: (() => boolean) | undefined;
  /** Of each controller. Default: 32 requests at once, 300 a second. */
  limits?: Partial<GatewayLimits>;
  /** Who the relay is for the API server: functions are never that. Default: nobody asks. */
  ownUser?: OwnUser;
  /** How signatures are checked. Default: by Web Crypto. */
  checkMac?: CheckMac | undefined;
};

export interface Gateway {
  /** Answers one request of a function. It never rejects, and answers a stranger with no 5xx. */
  fetch(request: Request): Promise<Response>;
  /** What the functions declare from now on. Before the first time nothing is allowed: requests wait for it, up to 5 s. */
  declare(manifest: Manifest): void;
  /** What the relay learns of the functions' clock from their answers. */
  readonly offset: ClockOffset;
  /** Resolves when no run seems to be under way, or after `limitMs`. */
  calm(limitMs: number): Promise<void>;
  /** Ends all requests that are under way. */
  stop(): void;
}

type GatewayEnv = { Variables: { body: Uint8Array<ArrayBuffer>; caller?: Caller; ask?: Ask } };

/**
 * The door to the API server for functions that hold no credentials of the cluster: signed requests (X1), within what their
 * controllers declared, under the functions' own account (X2), until the run's deadline (S5).
 * @example
 * const gateway = createGateway({ cluster: "home", secrets, serviceAccount, transport, clock, logger });
 * gateway.declare(manifest);
 * const response = await gateway.fetch(request);
 */
export function createGateway(options: GatewayOptions): Gateway {
  const { cluster, secrets, serviceAccounts = {}, ownNamespace, clock, logger, metrics } = options;
  const offset = new ClockOffset(clock);
  const bodies = new BodyReader(clock);
  const authenticator = {
    cluster,
    secrets,
    clock,
    offset,
    ids: new SeenIds(clock),
    startedAt: clock.monotonic(),
    checkMac: options.checkMac,
  };
  const opening = new Opening(clock);
  const calm = new Calm(clock);
  const turns = new Turns(clock, { ...DEFAULT_LIMITS, ...options.limits });
  const forwarding = { ...options, underWay: new Set<AbortController>() };
  let controllers: ReadonlyMap<string, ControllerManifest> | undefined;

  function controllerOf({ controller }: Caller): ControllerManifest {
    if (!controllers || options.isRight?.() === false) {
      const message = controllers
        ? "the relay does not know that this is the right cluster"
        : "the relay does not know yet what the functions declare";
      throw new Refusal(503, "not-ready", message, {}, { "retry-after": "1" });
    }
    const found = controllers.get(controller);
    if (found) return found;
    const message = `${controller} is none of the controllers that the functions declare`;
    throw new Refusal(403, "unknown-controller", message, { field: GATEWAY_HEADERS.controller });
  }

  async function userFor({ controller }: Caller): Promise<string> {
    const user = userOf(options, controller);
    if ((await options.ownUser?.()) !== user) return user;
    const message = `${user} is the relay's own account, which no function gets: give --service-account another one`;
    throw new Refusal(403, "own-account", message, { field: GATEWAY_HEADERS.controller });
  }

  const app = new Hono<GatewayEnv>();
  app.use(async function measure(c, next) {
    const askedAt = clock.monotonic();
    await next();
    const { caller, ask } = c.var;
    // Whoever has the secret may still write any name.
    const controller = caller && controllers?.has(caller.controller) ? caller.controller : "";
    const verb = ask?.verb ?? "";
    metrics?.count("gatewayRequests", { controller, verb, code: String(c.res.status) });
    if (verb !== "") metrics?.took("gatewaySeconds", { controller, verb }, clock.monotonic() - askedAt);
  });
  app.use(async function bufferBody(c, next) {
    const body = await bodies.read(c.req.raw);
    c.set("body", body);
    try {
      await next();
    } finally {
      bodies.release(body);
    }
  });
  app.all("*", async function serve(c) {
    const { body } = c.var;
    const request = c.req.raw;
    const caller = await authenticate(authenticator, request, body);
    c.set("caller", caller);
    const { method, url, headers, signal } = request;
    const asked = askOf({ method, url, headers, hasBody: body.length > 0 });
    c.set("ask", asked);
    if (!controllers) await opening.wait({ deadlineAt: caller.deadlineAt, signal });
    checkAllowed(controllerOf(caller), asked);
    const ask = withoutOwn(asked, ownNamespace);
    const text = decode(body);
    const user = await userFor(caller);
    const { deadlineAt } = caller;
    const onEnd = await turns.enter(caller.controller, { deadlineAt, signal });
    const audit = auditOf(logger, { user, caller, ask, body: text });
    return audit(forward(forwarding, { ask, body: text, user, signal, deadlineAt, onEnd }));
  });
  app.onError((error, c) => {
    if (!(error instanceof Refusal)) {
      logger.error("the gateway failed", { error: String(error) });
      return new Refusal(500, "internal", "the gateway failed").toResponse();
    }
    const { caller, ask } = c.var;
    // Strangers write no lines.
    if (caller && error.status < 499) {
      const { code, message } = error.problem.error;
      const { controller, id } = caller;
      logger.warn("the gateway refused a request", { controller, id, verb: ask?.verb, code, error: message });
    }
    return error.toResponse();
  });

  return {
    fetch: (request) => calm.during(Promise.resolve(app.fetch(request))),
    declare({ controllers: declared }) {
      controllers = new Map(declared.map((controller) => [controller.name, controller]));
      opening.open();
      const idle = Object.keys(serviceAccounts).filter((name) => !controllers?.has(name));
      if (idle.length > 0)
        logger.warn("service accounts are for controllers that nobody declares", { controllers: idle });
    },
    offset,
    calm: (limitMs) => calm.wait(limitMs),
    stop() {
      opening.open();
      const stopped = new Refusal(503, "stopping", "the relay is being stopped", {}, { "retry-after": "1" });
      turns.stop(stopped);
      for (const controller of forwarding.underWay) controller.abort(stopped);
    },
  };
}

/** A byte order mark stays: what is sent on is what was signed. */
function decode(body: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    throw new Refusal(400, "malformed", "the body is not UTF-8", { field: "body" });
  }
}
