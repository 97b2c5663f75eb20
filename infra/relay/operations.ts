import { EXPOSITION_TYPE, exposition, type Family } from "./metrics/exposition.ts";
import type { RelayStatus } from "./relay.ts";

export type OperationsOptions = {
  status(): RelayStatus;
  families(): readonly Family[];
  /** Blots out what must be seen nowhere (X4): reasons quote what others answered. */
  redact(text: string): string;
};

/** Reasons are for reading; what somebody in between answered may be long. */
const MAX_REASON_LENGTH = 1_024;

const TEXT = "text/plain; charset=utf-8";

/**
 * What operators and Kubernetes ask a relay: `/healthz`, `/readyz` and `/metrics`. Whoever reaches it may ask; it changes
 * nothing and tells no secret.
 *
 * `/readyz` answers as Kubernetes' own does: `ok`, with `?verbose` a line for each check, and where one fails 503 with these
 * lines. With `Accept: application/json` it answers in JSON.
 */
export function createOperations(options: OperationsOptions): (request: Request) => Response {
  const pages: Record<string, (request: Request) => Response> = {
    "/healthz": () => answer("ok", TEXT),
    "/readyz": readyz,
    "/metrics": () => answer(exposition(options.families()), EXPOSITION_TYPE),
  };

  function readyz({ url, headers }: Request): Response {
    const { ready, checks } = options.status();
    const status = ready ? 200 : 503;
    const shown = checks.map(({ name, reason }) => ({ name, ...(reason !== undefined && { reason: told(reason) }) }));
    if (headers.get("accept")?.includes("application/json"))
      return answer(JSON.stringify({ ready, checks: shown }), "application/json", status);
    if (ready && !queryOf(url).has("verbose")) return answer("ok", TEXT);
    const lines = shown.map(({ name, reason }) =>
      reason === undefined ? `[+]${name} ok` : `[-]${name} failed: ${reason}`,
    );
    return answer([...lines, `readyz check ${ready ? "passed" : "failed"}`, ""].join("\n"), TEXT, status);
  }

  /** In one line, so that nobody's answer passes for a check of ours. */
  function told(reason: string): string {
    const line = options.redact(reason).replace(/\s+/g, " ").trim();
    return line.length > MAX_REASON_LENGTH ? `${line.slice(0, MAX_REASON_LENGTH - 1)}…` : line;
  }

  return (request) => {
    const page = pages[pathOf(request.url)];
    if (!page) return answer("not found: there are /healthz, /readyz and /metrics\n", TEXT, 404);
    if (!["GET", "HEAD"].includes(request.method))
      return answer("method not allowed\n", TEXT, 405, { allow: "GET, HEAD" });
    return page(request);
  };
}

function answer(body: string, type: string, status = 200, headers: Record<string, string> = {}): Response {
  const all = { "content-type": type, "cache-control": "no-store", "x-content-type-options": "nosniff", ...headers };
  return new Response(body, { status, headers: all });
}

function pathOf(url: string): string {
  return url.replace(/^[a-z]+:\/\/[^/?#]*/i, "").replace(/[?#].*$/, "");
}

function queryOf(url: string): URLSearchParams {
  return new URLSearchParams(url.match(/\?([^#]*)/)?.[1] ?? "");
}
