import { concatBytes } from "./bytes.ts";
import { MAX_RUN_MS } from "./limits.ts";
import { type SignatureHeaders, sign } from "./signature.ts";

/**
 * What is signed of a request on the gateway (X1), which has more to protect than a body: the lines below and then the body
 * stand where Standard Webhooks has the payload. The first line keeps a signature of another hop from being one here.
 * @module
 */

const KIND = "sluice-gateway/v1";

/** One request on the gateway. */
export type GatewayCall = {
  /** Whose gateway is meant: another cluster's refuses it (X2). */
  cluster: string;
  /** Who asks: what it declared is all that it may do (X2). */
  controller: string;
  method: string;
  /** From `/api` or `/apis` on, with its raw query, as it is sent. */
  path: string;
  /** Empty where there is no body. */
  contentType: string;
  body: Uint8Array;
};

/** Where the gateway finds what is neither in the request line nor in the body. */
export const GATEWAY_HEADERS = {
  cluster: "x-sluice-cluster",
  controller: "x-sluice-controller",
  /** When it was sent, by the sender's clock: `webhook-timestamp` in milliseconds. */
  sentMs: "x-sluice-sent-ms",
  /** Milliseconds that the run had left then (S5). */
  deadlineMs: "x-sluice-deadline-ms",
} as const;

/** On every answer of the ingress: the functions' clock in milliseconds, from which a relay knows its own clock's offset. */
export const CLOCK_HEADER = "x-sluice-now-ms";

export type GatewayCallHeaders = SignatureHeaders & {
  [Header in (typeof GATEWAY_HEADERS)[keyof typeof GATEWAY_HEADERS]]: string;
};

/**
 * Signs a request for the gateway.
 * @param sending `remainingMs`: until the run's deadline, at the instant `now`.
 * @throws TypeError for a secret that is none.
 * @example
 * const call = { cluster: "home", controller: "documents", method: "GET", path: "/api/v1/namespaces/a", contentType: "", body };
 * const headers = await signGatewayCall(["whsec_…"], call, { id: crypto.randomUUID(), now: Date.now(), remainingMs: 60_000 });
 */
export async function signGatewayCall(
  secrets: readonly string[],
  call: GatewayCall,
  sending: { id: string; now: number; remainingMs: number },
): Promise<GatewayCallHeaders> {
  const sentMs = Math.floor(sending.now);
  const times = { sentMs: String(sentMs), deadlineMs: String(Math.min(Math.floor(sending.remainingMs), MAX_RUN_MS)) };
  const signature = await sign(secrets, { id: sending.id, now: sentMs, body: gatewayContent(call, times) });
  return {
    ...signature,
    [GATEWAY_HEADERS.cluster]: call.cluster,
    [GATEWAY_HEADERS.controller]: call.controller,
    [GATEWAY_HEADERS.sentMs]: times.sentMs,
    [GATEWAY_HEADERS.deadlineMs]: times.deadlineMs,
  };
}

/**
 * What `verify` takes as the body. None of the lines can hold a line break: each is part of a request line or a header.
 * @param times as they stand in their headers.
 */
export function gatewayContent(
  call: GatewayCall,
  times: { sentMs: string; deadlineMs: string },
): Uint8Array<ArrayBuffer> {
  const { cluster, controller, method, path, contentType, body } = call;
  const lines = [KIND, cluster, controller, method, path, times.sentMs, times.deadlineMs, contentType];
  return concatBytes([new TextEncoder().encode(lines.map((line) => `${line}\n`).join("")), body]);
}
