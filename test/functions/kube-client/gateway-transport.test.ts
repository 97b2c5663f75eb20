import { describe, expect, test } from "vitest";
import { createVirtualClock } from "../../../adapters/testing/virtual-clock.ts";
import { problemOf } from "../../../functions/contract/index.ts";
import { DeadlineError, ForbiddenError, NotServedError, ServerError } from "../../../functions/kube/errors.ts";
import { createGatewayTransport, type GatewayTransportOptions } from "../../../functions/kube/gateway-transport.ts";
import type { KubeRequest } from "../../../functions/ports/index.ts";
import { gatewayUnderTest, HOME, mapsIn } from "../../relay/gateway/gateway-under-test.ts";
import { ConfigMap } from "./objects.ts";
import { all, kubeOver, scripted } from "./scripted-transport.ts";

const at = { namespace: "default", name: "a" };
const draft = (text: string) => ({
  apiVersion: "v1" as const,
  kind: "ConfigMap" as const,
  metadata: at,
  data: { text },
});

type Send = NonNullable<GatewayTransportOptions["fetch"]>;
function transportOver(fetch: Send, options: Partial<GatewayTransportOptions> = {}) {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const common = { url: "https://gateway.test", cluster: "home", controller: "documents", secrets: [HOME], clock };
  return createGatewayTransport({ ...common, fetch, ...options });
}

/** The gateway under a path, which a proxy before it takes away. */
function overGateway(options: Parameters<typeof gatewayUnderTest>[0] = {}) {
  const { gateway, clock, ...rest } = gatewayUnderTest(options);
  const send: Send = (url, init) => gateway.fetch(new Request(url.replace("/home/", "/"), init));
  const transport = transportOver(send, { url: "https://gateway.test/home/", clock });
  return { ...rest, clock, transport, kube: kubeOver(transport, { remainingMs: () => 60_000 }) };
}

describe("kube over the gateway", () => {
  test("does what it does without one", async () => {
    const { kube } = overGateway();
    const created = await kube.apply(draft("one"));
    expect(await kube.get(ConfigMap, at)).toMatchObject({ data: { text: "one" } });
    await kube.jsonPatch(created, [{ op: "replace", path: "/data/text", value: "two" }]);
    await kube.mergePatch(created, { data: { more: "3" } });
    expect(await all(kube.list(ConfigMap, { namespace: "default", labelSelector: "!absent" }))).toMatchObject([
      { data: { text: "two", more: "3" } },
    ]);
    await kube.delete(created);
    expect(await kube.find(ConfigMap, at)).toBeUndefined();
    await kube.create(draft("four"));
    expect(created.metadata.managedFields).toMatchObject([{ manager: "documents", operation: "Apply" }]);
  });

  test("S5 tells what the run has left, and the gateway holds the API server to it", async () => {
    const transport = { fetch: (_: string, init?: KubeRequest) => new Promise<Response>((_, no) => ended(init, no)) };
    const ended = (init: KubeRequest | undefined, no: (reason: unknown) => void) =>
      init?.signal?.addEventListener("abort", () => no(init.signal?.reason));
    const { clock, transport: gateway } = overGateway({ transport });
    const kube = kubeOver(gateway, { remainingMs: () => 2_000 });
    const refused = expect(kube.get(ConfigMap, at)).rejects.toThrow(
      "GET /api/v1/namespaces/default/configmaps/a: 504 by the gateway: the run's deadline passed",
    );
    await clock.settle();
    await clock.advance(2_000);
    await refused;
    const late = kubeOver(gateway, { remainingMs: () => 0 });
    await expect(late.get(ConfigMap, at)).rejects.toBeInstanceOf(DeadlineError);
  });

  test.each([
    ["403", 403, ForbiddenError, 'add { resource: ConfigMap, verbs: ["get"] } to its access'],
    ["502", 502, ServerError, "the API server did not answer"],
    ["404, which is no proof of absence", 404, NotServedError, "there is nothing"],
  ])("a refusal of the gateway is an error that tells why: %s", async (_, status, type, message) => {
    const kube = kubeOver(scripted(Response.json(problemOf("code", message), { status })));
    const error = await kube.find(ConfigMap, at).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject({ status, reason: "", message: expect.stringContaining(message) });
  });
});

describe("the transport", () => {
  test("signs each request afresh, and follows no redirect with a signature", async () => {
    const sent: [string, RequestInit][] = [];
    const transport = transportOver(async (...args) => {
      sent.push(args);
      return new Response(null, { status: 302, headers: { location: "https://elsewhere.test" } });
    });
    const path = `${mapsIn("default")}/a`;
    expect((await transport.fetch(path)).status).toBe(302);
    await transport.fetch(path);
    const ids = sent.map(([, { headers }]) => new Headers(headers).get("webhook-id"));
    expect(new Set(ids).size).toBe(2);
    expect(sent).toMatchObject([
      [`https://gateway.test${path}`, { method: "GET", redirect: "manual" }],
      [`https://gateway.test${path}`, { method: "GET", redirect: "manual" }],
    ]);
    expect(JSON.stringify(sent)).not.toContain(HOME);
  });

  test("an aborted run sends nothing, one in flight ends, and the reason is the run's", async () => {
    const sent: RequestInit[] = [];
    const transport = transportOver((_, init) => {
      sent.push(init);
      return new Promise((_, reject) => init.signal?.addEventListener("abort", () => reject(new Error("aborted"))));
    });
    const over = new Error("the run is over");
    await expect(transport.fetch("/api/v1/nodes", { signal: AbortSignal.abort(over) })).rejects.toBe(over);
    expect(sent).toEqual([]);
    const run = new AbortController();
    const flying = expect(transport.fetch("/api/v1/nodes", { signal: run.signal })).rejects.toBe(over);
    await expect.poll(() => sent.length).toBe(1);
    run.abort(over);
    await flying;
  });

  test("no answer is a TypeError that names the gateway", async () => {
    const transport = transportOver(() => Promise.reject(new TypeError("fetch failed")));
    await expect(transport.fetch("/api/v1/nodes")).rejects.toThrow(
      new TypeError("no answer from the gateway https://gateway.test"),
    );
  });

  test("a URL that is none is refused at once", () => {
    expect(() => transportOver(fetch, { url: "home" })).toThrow(TypeError);
  });
});
