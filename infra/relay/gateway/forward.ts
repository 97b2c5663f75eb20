import type { Clock, KubeResponse, KubeTransport, Logger } from "../../../functions/ports/index.ts";
import { orAborted } from "../watch/or-aborted.ts";
import type { Ask } from "./ask.ts";
import { Refusal } from "./refusal.ts";
import { pathOf } from "./target.ts";

/** Headers of the API server that a client has use for. The others are its own business, or belong to the connection. */
const PASSED_ON = ["content-type", "retry-after", "warning"];

/** Up to this an answer is read whole and goes on in one piece: measured, half of what passing its stream on costs. */
const MAX_WHOLE_BYTES = 65_536;

/** Statuses whose answer has no body. */
const WITHOUT_BODY = new Set([204, 205, 304]);

export type Forwarding = {
  transport: KubeTransport;
  clock: Clock;
  logger: Logger;
  /** Requests under way, for a stop to end. */
  underWay: Set<AbortController>;
};

/**
 * Sends a request to the API server, written anew from its parts, and hands the answer on as it comes. It ends when its
 * client's does, and at its deadline (S5).
 * @param asked.signal of the client. `user`: who the API server takes the functions for, never the relay itself.
 * `deadlineAt`: by the monotonic clock. `onEnd`: called when the API server has nothing more to do for it.
 * @throws Refusal 502 where the API server did not answer, 504 where it did not in time, 499 where the client has gone.
 */
export async function forward(
  { transport, clock, logger, underWay }: Forwarding,
  asked: { ask: Ask; body: string; user: string; signal: AbortSignal; deadlineAt: number; onEnd: () => void },
): Promise<Response> {
  const { ask, user, signal, deadlineAt } = asked;
  const upstream = new AbortController();
  const late = () =>
    upstream.abort(new Refusal(504, "deadline-passed", "the run's deadline passed before the API server had answered"));
  const gone = () => upstream.abort(new Refusal(499, "client-closed", "the client has gone"));
  const cancelTimer = clock.setTimer(Math.max(0, deadlineAt - clock.monotonic()), late);
  signal.addEventListener("abort", gone, { once: true });
  if (signal.aborted) gone();
  underWay.add(upstream);
  const finish = () => {
    cancelTimer();
    signal.removeEventListener("abort", gone);
    underWay.delete(upstream);
    asked.onEnd();
  };

  try {
    upstream.signal.throwIfAborted();
    const query = ask.query.toString();
    const answer = await orAborted(
      upstream.signal,
      transport.fetch(`${pathOf(ask.target)}${query === "" ? "" : `?${query}`}`, {
        method: ask.method,
        headers: {
          accept: "application/json",
          "impersonate-user": user,
          ...(ask.contentType && { "content-type": ask.contentType }),
        },
        ...(ask.contentType && { body: asked.body }),
        signal: upstream.signal,
      }),
    );
    return await passOn(answer, upstream.signal, finish);
  } catch (error) {
    finish();
    if (error instanceof Refusal) throw error;
    logger.warn("the API server did not answer the gateway", { error: String(error) });
    throw new Refusal(502, "api-server-unreachable", "the API server did not answer");
  }
}

async function passOn(answer: KubeResponse, signal: AbortSignal, finish: () => void): Promise<Response> {
  const { status, headers: given } = answer;
  const headers: Record<string, string> = { "cache-control": "no-store" };
  for (const name of PASSED_ON) {
    const value = given.get(name);
    if (value !== null) headers[name] = value;
  }
  const length = given.get("content-length") ?? "";
  if (/^[1-9]\d{0,5}$/.test(length) && Number(length) <= MAX_WHOLE_BYTES) {
    const bytes = new Uint8Array(await orAborted(signal, answer.arrayBuffer()));
    finish();
    return new Response(bytes, { status, headers: { ...headers, "content-length": String(bytes.length) } });
  }
  const { body } = answer;
  if (body && !WITHOUT_BODY.has(status)) return new Response(untilEnd(body, signal, finish), { status, headers });
  void body?.cancel();
  finish();
  return new Response(null, { status, headers });
}

/** A body as it comes; one that is broken off fails, so that nobody takes a part for the whole. */
function untilEnd(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  finish: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await orAborted(signal, reader.read());
          if (!done) return controller.enqueue(value);
          finish();
          controller.close();
        } catch (error) {
          finish();
          reader.cancel(error).catch(() => {});
          controller.error(error);
        }
      },
      async cancel(reason) {
        finish();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
