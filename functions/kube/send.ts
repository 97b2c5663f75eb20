import type { KubeRequest, KubeResponse, KubeTransport, Logger, Steps } from "../ports/index.ts";
import { readAnswer } from "./answer.ts";
import { DeadlineError } from "./errors.ts";

/** What ends a run's right to send (S5). */
export type Fence = {
  /** Ends requests in flight; once aborted, nothing is sent. */
  signal?: AbortSignal;
  /** Milliseconds until the deadline. A signal alone comes late where code blocked the timers. */
  remainingMs?: () => number;
};

export type Sender = {
  /** @throws KubeError, DeadlineError, the signal's reason, or TypeError where nothing was answered. */
  read(path: string): Promise<unknown>;
  /** As `read`; `body` is sent as JSON under its content type. */
  write(method: "POST" | "PATCH" | "DELETE", path: string, type: BodyType, body: object): Promise<unknown>;
};

const READ = { accept: "application/json" };
const HEADERS = {
  json: headersOf("application/json"),
  apply: headersOf("application/apply-patch+yaml"),
  jsonPatch: headersOf("application/json-patch+json"),
  mergePatch: headersOf("application/merge-patch+json"),
};

export type BodyType = keyof typeof HEADERS;

/** RFC 7234, 5.5: the API server sends code 299 and no date, each text in quotes. */
const WARNING = /299 \S+ ("(?:[^\\"]|\\.)*")/g;

/** Sends while the fence is open, reads answers, logs each warning once, and reports the first write that was accepted. */
export function createSender(
  transport: KubeTransport,
  fence: Fence,
  { steps, log }: { steps?: Steps; log?: Logger },
): Sender {
  const { signal, remainingMs } = fence;
  let written = false;
  const warned = new Set<string>();

  async function send(path: string, init: KubeRequest): Promise<KubeResponse> {
    const answer = await transport.fetch(path, init);
    for (const [, warning = ""] of answer.headers.get("warning")?.matchAll(WARNING) ?? [])
      if (warned.size < warned.add(warning).size)
        log?.warn("the API server warns", { warning: warning.slice(1, -1).replace(/\\(.)/g, "$1") });
    return answer;
  }

  /** What goes with a request, while one may be sent. */
  function open(method: string, path: string): Pick<KubeRequest, "signal" | "remainingMs"> {
    signal?.throwIfAborted();
    const remaining = remainingMs?.();
    if (remaining !== undefined && remaining <= 0)
      throw new DeadlineError(`the run's deadline has passed: ${method} ${path.split("?", 1)[0]} was not sent`);
    return { ...(signal && { signal }), ...(remaining !== undefined && { remainingMs: remaining }) };
  }

  return {
    async read(path) {
      const answer = await send(path, { method: "GET", headers: READ, ...open("GET", path) });
      return readAnswer(answer, { method: "GET", path });
    },
    async write(method, path, type, body) {
      const fence = open(method, path);
      const init = { method, headers: HEADERS[type], body: JSON.stringify(body), ...fence };
      const value = await readAnswer(await send(path, init), { method, path });
      if (!written) {
        written = true;
        await steps?.reach("first write done");
      }
      return value;
    },
  };
}

function headersOf(type: string): Record<string, string> {
  return { accept: "application/json", "content-type": type };
}
