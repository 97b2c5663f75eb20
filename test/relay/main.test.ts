import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createVirtualClock, type VirtualClock } from "../../adapters/testing/virtual-clock.ts";
import type { Manifest, Trigger } from "../../functions/contract/index.ts";
import { createIngress } from "../../functions/http/ingress.ts";
import { runRelay } from "../../infra/relay/main.ts";
import type { Relay } from "../../infra/relay/relay.ts";
import { recordingLogger } from "../support/recording-logger.ts";
import { objectOf } from "./support/objects.ts";
import { manifest } from "./support/relay-under-test.ts";
import { createScriptedApi } from "./support/scripted-api.ts";
import { secret } from "./support/scripted-ingress.ts";

const base = "https://functions.test/base";
const functions = setupServer();
let clock: VirtualClock;
let api: ReturnType<typeof createScriptedApi>;
let relay: Relay;
let accepted: readonly Trigger[];

beforeAll(() => functions.listen({ onUnhandledFrame: "error" }));
afterEach(async () => {
  await relay.stop();
  functions.resetHandlers();
});
afterAll(() => functions.close());
beforeEach(() => {
  clock = createVirtualClock(Date.UTC(2026, 0, 1));
  api = createScriptedApi();
  accepted = [];
});

/** The real ingress of functions that declare this. */
function ingressOf(declared: Manifest) {
  return createIngress({
    manifest: declared,
    clusters: [{ name: "home", secrets: [secret] }],
    scheduler: {
      flags: { durable: false, timer: "platform" },
      async accept(_, triggers) {
        accepted = triggers;
        return { nextWakeInMs: null, epoch: "e1" };
      },
      wake: async () => ({ nextWakeInMs: null, epoch: "e1" }),
    },
    clock,
    logger: recordingLogger(),
  });
}

function start(): void {
  relay = runRelay({
    cluster: "home",
    ingress: new URL(`${base}/?ignored#too`),
    secrets: [secret],
    transport: api,
    clock,
    logger: recordingLogger(),
  });
}

/** Lists one document, and nothing else. */
async function listOne(): Promise<void> {
  await vi.waitFor(() => expect(api.asked).toHaveLength(2));
  api.asked[0]!.page([objectOf({ name: "a" })], { resourceVersion: "1" });
  api.asked[1]!.page([], { resourceVersion: "1" });
}

const inner = (request: Request): Request => new Request(request.url.replace("/base", ""), request);

describe("a relay that runs apart", () => {
  it("reaches the functions under their URL, and its triggers are accepted by them", async () => {
    const ingress = ingressOf(manifest);
    functions.use(http.all(`${base}/*`, ({ request }) => ingress.fetch(inner(request))));
    start();
    await listOne();
    await vi.waitFor(() => expect(accepted).toMatchObject([{ controller: "docs", name: "a", lane: "resync" }]));
    await vi.waitFor(() => expect(relay.status().outbox).toEqual({ pending: 0, dropped: 0 }));
  });

  it("R5 holds the keys of a controller that the functions do not know", async () => {
    const knowing = ingressOf(manifest);
    const other = ingressOf({ ...manifest, controllers: [{ ...manifest.controllers[0]!, name: "other" }] });
    functions.use(
      http.get(`${base}/manifest`, ({ request }) => knowing.fetch(inner(request))),
      http.all(`${base}/checkpoint/*`, ({ request }) => knowing.fetch(inner(request))),
      http.post(`${base}/:path`, ({ request }) => other.fetch(inner(request))),
    );
    start();
    await listOne();
    await vi.waitFor(() =>
      expect(relay.status()).toMatchObject({
        outbox: { pending: 1, dropped: 0 },
        reasons: expect.arrayContaining(["controller docs: unknown to the functions"]),
      }),
    );
    functions.use(http.post(`${base}/triggers`, ({ request }) => knowing.fetch(inner(request))));
    await clock.advance(250);
    await vi.waitFor(() => expect(relay.status().outbox).toEqual({ pending: 0, dropped: 0 }));
  });

  it("X1 carries its signature to nobody else", async () => {
    let followed = false;
    functions.use(
      http.all(`${base}/checkpoint/*`, () => HttpResponse.redirect("https://elsewhere.test/checkpoint")),
      http.all(`${base}/:path`, ({ params }) => HttpResponse.redirect(`https://elsewhere.test/${params.path}`)),
      http.all("https://elsewhere.test/:path", () => {
        followed = true;
        return HttpResponse.json(manifest);
      }),
    );
    start();
    await vi.waitFor(() => expect(relay.status().reasons[0]).not.toContain("not fetched yet"));
    expect(followed).toBe(false);
    expect(relay.status().revision).toBeUndefined();
  });
});
