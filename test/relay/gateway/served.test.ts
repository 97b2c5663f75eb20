import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { connectKube } from "../../../adapters/runtime/node/kube-config/index.ts";
import { type Listener, listenOn } from "../../../adapters/runtime/node/listen.ts";
import { systemClock } from "../../../adapters/runtime/system-clock.ts";
import { problem } from "../../../functions/contract/index.ts";
import { createGatewayTransport } from "../../../functions/kube/gateway-transport.ts";
import type { KubeRequest } from "../../../functions/ports/index.ts";
import { createGateway, type Gateway } from "../../../infra/relay/gateway/gateway.ts";
import { recordingLogger } from "../../support/recording-logger.ts";
import { gatewayUnderTest, HOME, manifest, mapsIn } from "./gateway-under-test.ts";

/** Over a socket of Node's, before an API server whose answers never end. */
let gateway: Gateway;
let listener: Listener;
let asked: KubeRequest[];
let answer: ((response: Response) => void) | undefined;

beforeEach(async () => {
  asked = [];
  answer = undefined;
  gateway = createGateway({
    cluster: "home",
    secrets: [HOME],
    serviceAccount: { namespace: "functions", name: "reconcilers" },
    transport: {
      fetch: (_, init = {}) =>
        new Promise((resolve, reject) => {
          asked.push(init);
          answer = resolve;
          init.signal?.addEventListener("abort", () => reject(init.signal?.reason));
        }),
    },
    clock: systemClock,
    logger: recordingLogger(),
  });
  gateway.declare(manifest);
  listener = await listenOn(gateway.fetch, { port: 0, host: "127.0.0.1", streams: true });
});
afterEach(async () => {
  gateway.stop();
  await listener.close();
});

function ask(init: KubeRequest = {}) {
  const common = { cluster: "home", controller: "documents", secrets: [HOME], clock: systemClock };
  return createGatewayTransport({ ...common, url: listener.url }).fetch(mapsIn("default"), init);
}

const upstreamEnded = () => vi.waitFor(() => expect(asked[0]?.signal?.aborted).toBe(true), { timeout: 10_000 });

it("S5 a client that hangs up before the answer ends the upstream request", async () => {
  const run = new AbortController();
  const refused = expect(ask({ signal: run.signal })).rejects.toThrow("the run is over");
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  run.abort(new Error("the run is over"));
  await refused;
  await upstreamEnded();
});

it("S5 a client that hangs up in the middle of an answer ends it upstream, too; what had come was there at once", async () => {
  const run = new AbortController();
  const asking = ask({ signal: run.signal });
  await vi.waitFor(() => expect(answer).toBeDefined());
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"items":[')),
    cancel() {
      cancelled = true;
    },
  });
  answer?.(new Response(body, { headers: { "content-type": "application/json" } }));
  const reader = (await asking).body!.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toBe('{"items":[');
  run.abort(new Error("the run is over"));
  await expect(reader.read()).rejects.toThrow();
  await vi.waitFor(() => expect(cancelled).toBe(true), { timeout: 10_000 });
});

it("S5 a deadline that passes ends it, and the client is told", async () => {
  const response = await ask({ remainingMs: 100 });
  expect(response.status).toBe(504);
  await upstreamEnded();
});

it("an API server that refuses connections is a 502 of ours, which says nothing of where it is", async () => {
  const transport = await connectKube(async () => ({ server: "https://127.0.0.1:1", tls: {} }));
  const { send } = gatewayUnderTest({ transport });
  const response = await send("GET", mapsIn("default"));
  await transport.close();
  expect(response.status).toBe(502);
  expect(problem.parse(await response.json()).error).toEqual({
    code: "api-server-unreachable",
    message: "the API server did not answer",
  });
});
