import { problem, sign } from "../../functions/contract/index.ts";
import type { Clock } from "../../functions/ports/index.ts";
import { orAborted } from "./or-aborted.ts";

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
  /** The problem, where the refusal is our ingress's own and not a proxy's (R5). */
  problem?: { code: string; message: string; field?: string | undefined; limit?: string | undefined };
};

/** Signed requests to the functions. */
export interface Ingress {
  /**
   * Signs afresh, with a new id, and sends (X1).
   * @throws TypeError when nothing was answered, within 30 s too.
   */
  send(method: string, path: string, body?: Uint8Array<ArrayBuffer>): Promise<IngressAnswer>;
  /** Ends what is under way. */
  stop(): void;
}

/** How long an answer may take. The ingress commits a batch in milliseconds; a cold start may take seconds. */
export const INGRESS_TIMEOUT_MS = 30_000;

const STOPPED = "the relay was stopped";

export function createIngress(options: { ingress: IngressFetch; secrets: readonly string[]; clock: Clock }): Ingress {
  const underWay = new Set<AbortController>();
  let stopped = false;

  return {
    async send(method, path, body) {
      const { clock, secrets } = options;
      const id = crypto.randomUUID();
      const signature = await sign(secrets, { id, now: clock.now(), body: body ?? new Uint8Array() });
      if (stopped) throw new TypeError(STOPPED);
      const controller = new AbortController();
      const { signal } = controller;
      underWay.add(controller);
      const cancel = clock.setTimer(INGRESS_TIMEOUT_MS, () =>
        controller.abort(new TypeError(`no answer within ${INGRESS_TIMEOUT_MS} ms`)),
      );
      try {
        const answer = options.ingress.fetch(path, {
          method,
          headers: { ...signature, ...(body ? { "content-type": "application/json" } : undefined) },
          ...(body ? { body } : undefined),
          signal,
        });
        return await orAborted(signal, answer.then(read));
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

async function read(response: Response): Promise<IngressAnswer> {
  const text = await response.text();
  const found = response.ok ? undefined : parseProblem(text);
  return { status: response.status, headers: response.headers, text, ...(found ? { problem: found } : undefined) };
}

function parseProblem(text: string): IngressAnswer["problem"] {
  try {
    return problem.safeParse(JSON.parse(text)).data?.error;
  } catch {
    return undefined;
  }
}
