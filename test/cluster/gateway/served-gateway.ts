import { type IncomingHttpHeaders, request } from "node:http";
import { text } from "node:stream/consumers";
import { type Listener, listenOn } from "../../../adapters/runtime/node/listen.ts";
import { systemClock } from "../../../adapters/runtime/system-clock.ts";
import {
  API_VERSION,
  type ControllerManifest,
  GATEWAY_HEADERS,
  type GatewayCall,
  type Manifest,
  type RbacRule,
  schedulingOptions,
  signGatewayCall,
} from "../../../functions/contract/index.ts";
import { createGateway, type GatewayOptions } from "../../../infra/relay/gateway/gateway.ts";
import { type LogLine, recordingLogger } from "../../support/recording-logger.ts";

export const SECRET = `whsec_${Buffer.alloc(32, 5).toString("base64")}`;

export type Sent = {
  controller?: string;
  body?: string;
  type?: string;
  headers?: Record<string, string>;
  secret?: string;
  id?: string;
  /** Milliseconds by which the sender's clock differs. */
  skewMs?: number;
  remainingMs?: number;
  /** What is signed, where it is not what is sent. */
  signed?: Partial<GatewayCall>;
};

export type Answer = {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test names the fields that it looks at.
  body: any;
};

export type ServedGateway = {
  url: string;
  lines: LogLine[];
  declare(rules: Record<string, readonly RbacRule[]>): void;
  /** Sends exactly this path, which no client has cleaned up. */
  send(method: string, path: string, sent?: Sent): Promise<Answer>;
  close(): Promise<void>;
};

/** A gateway over HTTP, as the relay serves it. */
export async function serveGateway(
  options: Pick<GatewayOptions, "transport" | "serviceAccount" | "serviceAccounts" | "ownNamespace" | "ownUser">,
): Promise<ServedGateway> {
  const logger = recordingLogger();
  const gateway = createGateway({ cluster: "home", secrets: [SECRET], clock: systemClock, logger, ...options });
  const listener: Listener = await listenOn(gateway.fetch, { port: 0, host: "127.0.0.1", streams: true });
  // As an answer of functions whose clock is ours.
  const now = new Headers({ "x-sluice-now-ms": String(Date.now()) });
  gateway.offset.answered(performance.now(), now);

  return {
    url: listener.url,
    lines: logger.lines,
    declare: (rules) => gateway.declare(manifestOf(rules)),
    async send(method, path, sent = {}) {
      const { controller = "documents", body = "", type = body && "application/json", headers = {} } = sent;
      const { secret = SECRET, id = crypto.randomUUID(), skewMs = 0, remainingMs = 30_000 } = sent;
      const bytes = new TextEncoder().encode(body);
      const call = { cluster: "home", controller, method, path, contentType: type, body: bytes };
      const sending = { id, now: Date.now() + skewMs, remainingMs };
      const signed = {
        ...(await signGatewayCall([secret], { ...call, ...sent.signed }, sending)),
        [GATEWAY_HEADERS.cluster]: call.cluster,
        [GATEWAY_HEADERS.controller]: call.controller,
      };
      return exchange(
        listener.url,
        method,
        path,
        { ...(type && { "content-type": type }), ...signed, ...headers },
        body,
      );
    },
    close: () => listener.close(),
  };
}

function exchange(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string,
): Promise<Answer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, method, path, headers, agent: false }, async (incoming) => {
      const answer = await text(incoming);
      resolve({
        status: incoming.statusCode ?? 0,
        headers: incoming.headers,
        text: answer,
        body: /^[{[]/.test(answer) ? JSON.parse(answer) : undefined,
      });
    });
    outgoing.once("error", reject);
    outgoing.end(body);
  });
}

function manifestOf(rules: Record<string, readonly RbacRule[]>): Manifest {
  const controllers = Object.entries(rules).map(
    ([name, rbac]): ControllerManifest => ({
      name,
      fieldManager: name,
      relations: [],
      scheduling: schedulingOptions.parse({}),
      rbac: [...rbac],
    }),
  );
  return { apiVersion: API_VERSION, revision: "r1", controllers };
}
