import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { createApiServer } from "../../../adapters/testing/index.ts";
import { createVirtualClock, type VirtualClock } from "../../../adapters/testing/virtual-clock.ts";
import { problem } from "../../../functions/contract/index.ts";
import { createIngress } from "../../../functions/http/ingress.ts";
import { createGatewayTransport } from "../../../functions/kube/gateway-transport.ts";
import type { KubeRequest } from "../../../functions/ports/index.ts";
import { runRelay } from "../../../infra/relay/main.ts";
import type { GatewaySettings } from "../../../infra/relay/options.ts";
import { recordingLogger } from "../../support/recording-logger.ts";
import { HOME, manifest, mapsIn, USER } from "./gateway-under-test.ts";

const functions = setupServer();
let clock: VirtualClock;
let relay: ReturnType<typeof runRelay>;

beforeAll(() => functions.listen({ onUnhandledFrame: "error" }));
beforeEach(() => {
  clock = createVirtualClock(Date.UTC(2026, 0, 1));
});
afterEach(async () => {
  await relay.stop();
  functions.resetHandlers();
});
afterAll(() => functions.close());

const settings: GatewaySettings = { port: 0, serviceAccount: { namespace: "functions", name: "reconcilers" } };

/** A relay before an API server that answers its watches and is silent otherwise. */
function start(gateway?: GatewaySettings, username = "system:serviceaccount:sluice:relay"): KubeRequest[] {
  const server = createApiServer({ clock });
  const asked: KubeRequest[] = [];
  relay = runRelay({
    cluster: "home",
    ingress: new URL("https://functions.test"),
    secrets: [HOME],
    ...(gateway && { gateway }),
    transport: {
      async fetch(path, init = {}) {
        if (path.endsWith("/selfsubjectreviews")) return Response.json({ status: { userInfo: { username } } });
        if (!init.headers?.["impersonate-user"]) return server.transport.fetch(path, init);
        asked.push(init);
        return new Promise((_, reject) => init.signal?.addEventListener("abort", () => reject(init.signal?.reason)));
      },
    },
    clock,
    logger: recordingLogger(),
  });
  return asked;
}

/** The functions, by their own clock. */
function serveFunctions(behind: VirtualClock): void {
  const ingress = createIngress({
    manifest,
    clusters: [{ name: "home", secrets: [HOME] }],
    scheduler: {
      flags: { durable: false, timer: "platform" },
      accept: async () => ({ nextWakeInMs: null, epoch: "e1" }),
      wake: async () => ({ nextWakeInMs: null, epoch: "e1" }),
    },
    clock: behind,
    logger: recordingLogger(),
  });
  functions.use(http.all("https://functions.test/*", ({ request }) => ingress.fetch(request)));
}

/** What a function asks with. */
function transportOf(behind: VirtualClock) {
  return createGatewayTransport({
    url: "https://gateway.test",
    cluster: "home",
    controller: "documents",
    secrets: [HOME],
    clock: behind,
    fetch: (url, init) => relay.gateway!.fetch(new Request(url, init)),
  });
}

it("X2 S5 a relay's gateway serves what the functions declare, and takes their clock from their answers", async () => {
  const behind = createVirtualClock(clock.now() - 90_000);
  serveFunctions(behind);
  const asked = start(settings);
  await vi.waitFor(() => expect(relay.status().revision).toBe("r1"));

  await Promise.all([clock.advance(5), behind.advance(5)]);
  const answer = transportOf(behind).fetch(`${mapsIn("a")}/b`, { remainingMs: 1_000 });
  await vi.waitFor(() => expect(asked).toMatchObject([{ headers: { "impersonate-user": USER } }]));
  await clock.advance(1_000);
  expect((await answer).status).toBe(504);
});

it("X2 a relay's own account is none for functions", async () => {
  serveFunctions(clock);
  const asked = start(settings, USER);
  await vi.waitFor(() => expect(relay.status().revision).toBe("r1"));
  await clock.advance(30);
  const answer = await transportOf(clock).fetch(`${mapsIn("a")}/b`);
  expect([answer.status, problem.parse(await answer.json()).error.code]).toEqual([403, "own-account"]);
  expect(asked).toEqual([]);
});

it("a relay has no gateway unless it is asked for", () => {
  functions.use(http.all("https://functions.test/*", () => new HttpResponse(null, { status: 503 })));
  start();
  expect(relay).not.toHaveProperty("gateway");
});
