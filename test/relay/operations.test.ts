import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createOperations } from "../../infra/relay/operations.ts";
import type { Check } from "../../infra/relay/readiness.ts";
import { reasonsOf } from "../../infra/relay/readiness.ts";

const right: Check[] = [{ name: "manifest" }, { name: "watch of secrets in team-a" }];
const wrong: Check[] = [{ name: "manifest" }, { name: "watch of secrets in team-a", reason: "403 forbidden" }];

function operations(checks: readonly Check[] = right) {
  const reasons = reasonsOf(checks);
  const status = {
    ...{ ready: reasons.length === 0, reasons, checks: [...checks] },
    ...{ watches: [], outbox: { pending: 0, dropped: 0 }, leader: { leads: true } },
  };
  const serve = createOperations({
    status: () => status,
    families: () => [{ name: "up", type: "gauge", help: "Up.", samples: [{ value: 1 }] }],
    redact: (text) => text.replaceAll("hunter2", "[secret]"),
  });
  return (path: string, init?: RequestInit) => serve(new Request(`http://relay.test${path}`, init));
}

describe("/healthz", () => {
  it.each([
    ["ready", right],
    ["not ready", wrong],
  ])("says that the process lives, while it is %s", async (_, checks) => {
    const response = operations(checks)("/healthz");
    expect([response.status, await response.text()]).toEqual([200, "ok"]);
  });
});

describe("/readyz", () => {
  it.each([
    ["", 200, "ok"],
    ["?verbose", 200, "[+]manifest ok\n[+]watch of secrets in team-a ok\nreadyz check passed\n"],
  ])("%s is what Kubernetes' own says when all is right", async (query, status, text) => {
    const response = operations()(`/readyz${query}`);
    expect([response.status, await response.text()]).toEqual([status, text]);
  });

  it.each(["", "?verbose"])("%s tells which watch is not, and why", async (query) => {
    const response = operations(wrong)(`/readyz${query}`);
    expect([response.status, await response.text()]).toEqual([
      503,
      "[+]manifest ok\n[-]watch of secrets in team-a failed: 403 forbidden\nreadyz check failed\n",
    ]);
  });

  it("is JSON for who accepts that", async () => {
    const response = operations(wrong)("/readyz", { headers: { accept: "application/json" } });
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ ready: false, checks: wrong });
  });

  it.each(["text/plain", "application/json"])(
    "X4 repeats no secret and lets nobody write a line of it, as %s",
    async (accept) => {
      const reason = `503 hunter2\r\n[+]all ok\n${"x".repeat(5_000)}`;
      const text = await operations([{ name: "delivery", reason }])("/readyz", { headers: { accept } }).text();
      expect(text).toContain("503 [secret] [+]all ok xxx");
      expect(text.match(/^\[/gm) ?? []).toHaveLength(accept === "text/plain" ? 1 : 0);
      expect(text.length).toBeLessThan(1_200);
    },
  );
});

describe("/metrics", () => {
  it("is text of the format's version 0.0.4", async () => {
    const response = operations()("/metrics");
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(await response.text()).toBe("# HELP up Up.\n# TYPE up gauge\nup 1\n");
  });
});

describe("strangers", () => {
  it.each(["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])("%s changes nothing", (method) => {
    const response = operations()("/metrics", { method });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("HEAD is answered like GET", () => {
    expect(operations(wrong)("/readyz", { method: "HEAD" }).status).toBe(503);
  });

  it("X3 are answered 200, 404 or 405, whatever they ask", () => {
    const path = fc.oneof(
      fc.webPath(),
      fc.constantFrom("/healthz", "/readyz", "/metrics", "//metrics", "/constructor"),
    );
    const method = fc.constantFrom("GET", "HEAD", "POST", "PURGE");
    fc.assert(
      fc.property(path, fc.webQueryParameters(), method, (path, query, method) => {
        const { status } = operations()(`${path.startsWith("/") ? path : `/${path}`}?${query}`, { method });
        expect([200, 404, 405]).toContain(status);
      }),
    );
  });
});
