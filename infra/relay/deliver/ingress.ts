import { problem, sign } from "../../../functions/contract/index.ts";
import type { Clock } from "../../../functions/ports/index.ts";
import { orAborted } from "../watch/or-aborted.ts";
import { createPresence, type Presence } from "./presence.ts";

/** How requests reach the functions: their own app in process, or `fetch` with a base URL. */
export type IngressFetch = {
  fetch(path: string, init: IngressRequest): Promise<Response>;
};

export type IngressRequest = {
  method: string;
  headers: Record<string, string>;
  body?: Uint8Array<ArrayBuffer>;
  signal: AbortSignal;
};

/** What the ingress, or something in front of it, answered. */
export type IngressAnswer = {
  status: number;
  headers: Headers;
  text: string;
  /** `Retry-After` in milliseconds where it is a number of seconds, as our ingress writes it; else 0. */
  retryAfterMs: number;
  /** The problem, where the refusal is our ingress's own and not a proxy's (R5). */
  problem?: { code: string; message: string; field?: string | undefined; limit?: string | undefined };
};

/** Signed requests to the functions. */
export interface Ingress {
  /**
   * Signs afresh, with a new id, and sends (X1).
   * @throws TypeError when nothing was answered, within 30 s too.
   */
  send(method: string, path: string, body?: Uint8Array, headers?: Record<string, string>): Promise<IngressAnswer>;
  /** Whether they answer. */
  readonly presence: Presence;
  /** Ends what is under way. */
  stop(): void;
}

/** How long an answer may take. The ingress commits a batch in milliseconds; a cold start may take seconds. */
export const INGRESS_TIMEOUT_MS = 30_000;

/** The longest Retry-After that is honoured. */
const MAX_RETRY_AFTER_MS = 300_000;

/** A manifest of a thousand controllers has about half of it. */
const MAX_ANSWER_BYTES = 4 * 1_048_576;

const FOLLOWS = "another relay leads";
const STOPPED = "the relay was stopped";

export function createIngress(options: {
  ingress: IngressFetch;
  secrets: readonly string[];
  clock: Clock;
  /** Whether triggers, wakes and checkpoints may be sent, asked just before (R10). Questions always may. */
  mayWrite?: () => boolean;
}): Ingress {
  const underWay = new Set<AbortController>();
  const presence = createPresence();
  let stopped = false;

  return {
    presence,
    async send(method, path, body, headers) {
      const { clock, secrets } = options;
      const id = crypto.randomUUID();
      const signature = await sign(secrets, { id, now: clock.now(), body: body ?? new Uint8Array() });
      if (stopped) throw new TypeError(STOPPED);
      if (isWrite(method, path) && options.mayWrite?.() === false) throw new TypeError(FOLLOWS);
      const controller = new AbortController();
      const { signal } = controller;
      underWay.add(controller);
      const cancel = clock.setTimer(INGRESS_TIMEOUT_MS, () =>
        controller.abort(new TypeError(`no answer within ${INGRESS_TIMEOUT_MS} ms`)),
      );
      try {
        const answer = options.ingress.fetch(path, {
          method,
          headers: { ...headers, ...signature, ...(body ? { "content-type": "application/json" } : undefined) },
          ...(body ? { body: body as Uint8Array<ArrayBuffer> } : undefined),
          signal,
        });
        const got = await orAborted(signal, answer.then(read));
        if (got.status >= 500 && !got.problem) presence.failed(true);
        else presence.answered();
        return got;
      } catch (error) {
        if (!stopped) presence.failed(false);
        throw error;
      } finally {
        cancel();
        underWay.delete(controller);
      }
    },
    stop() {
      stopped = true;
      for (const controller of underWay) controller.abort(new TypeError(STOPPED));
    },
  };
}

/** What only a leader does. */
function isWrite(method: string, path: string): boolean {
  return method === "PUT" || path === "/triggers" || path === "/wake";
}

async function read(response: Response): Promise<IngressAnswer> {
  const text = await boundedText(response);
  const found = response.ok ? undefined : parseProblem(text);
  const { status, headers } = response;
  return { status, headers, text, retryAfterMs: retryAfterMs(headers), ...(found ? { problem: found } : undefined) };
}

/** Nothing that answers in place of the ingress fills our memory (X3). */
async function boundedText(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for (let read = await reader?.read(); read && !read.done; read = await reader!.read()) {
    size += read.value.length;
    if (size > MAX_ANSWER_BYTES) {
      reader!.cancel().catch(() => {});
      throw new TypeError(`the answer is larger than ${MAX_ANSWER_BYTES} bytes`);
    }
    text += decoder.decode(read.value, { stream: true });
  }
  return text + decoder.decode();
}

function retryAfterMs(headers: Headers): number {
  const text = headers.get("retry-after") ?? "";
  return /^\d{1,7}$/.test(text) ? Math.min(Number(text) * 1_000, MAX_RETRY_AFTER_MS) : 0;
}

function parseProblem(text: string): IngressAnswer["problem"] {
  try {
    return problem.safeParse(JSON.parse(text)).data?.error;
  } catch {
    return undefined;
  }
}
