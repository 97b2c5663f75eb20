import { describe, expect, it } from "vitest";
import { problem } from "../../../functions/contract/index.ts";
import type { KubeRequest, KubeTransport } from "../../../functions/ports/index.ts";
import { configMap, gatewayUnderTest, mapsIn, USER } from "./gateway-under-test.ts";

const maps = mapsIn("default");
const managed = "?fieldManager=documents";

/** An API server that a test answers for. */
function scriptedServer() {
  const asked: { init: KubeRequest; answer(response: Response): void; fail(error: Error): void }[] = [];
  const transport: KubeTransport = {
    fetch: (_, init = {}) =>
      new Promise((resolve, reject) => {
        asked.push({ init, answer: resolve, fail: reject });
        init.signal?.addEventListener("abort", () => reject(init.signal?.reason), { once: true });
      }),
  };
  return { asked, transport };
}

async function scripted() {
  const server = scriptedServer();
  const gateway = gatewayUnderTest({ transport: server.transport });
  return { ...gateway, ...server };
}

/** A body that goes on for ever, and tells whether somebody still wants it. */
function endless() {
  const state = { cancelled: false };
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode("{")),
    cancel() {
      state.cancelled = true;
    },
  });
  return { body, state };
}

describe("what the API server gets", () => {
  it("X2 comes under the functions' account, written anew, and with no header of the client's", async () => {
    const gateway = gatewayUnderTest();
    await gateway.send("PATCH", `${maps}/a?force=true&fieldManager=documents`, {
      body: configMap("a"),
      type: "application/apply-patch+yaml",
      headers: { authorization: "Bearer stolen", accept: "*/*", cookie: "a=b", "x-forwarded-for": "1.2.3.4" },
    });
    expect(gateway.upstream).toMatchObject([
      {
        path: `${maps}/a?force=true&fieldManager=documents`,
        init: { method: "PATCH", body: configMap("a") },
      },
    ]);
    expect(gateway.upstream[0]?.init.headers).toEqual({
      accept: "application/json",
      "content-type": "application/apply-patch+yaml",
      "impersonate-user": USER,
    });
  });

  it("a read has no body and no type, a byte order mark stays", async () => {
    const gateway = gatewayUnderTest();
    await gateway.send("GET", `${maps}/a`, { type: "application/json" });
    expect(gateway.upstream[0]?.init).not.toHaveProperty("body");
    expect(gateway.upstream[0]?.init.headers).not.toHaveProperty("content-type");
    await gateway.send("POST", `${maps}${managed}`, { body: "\ufeff{}" });
    expect(gateway.upstream[1]?.init.body).toBe("\ufeff{}");
  });
});

describe("what the client gets", () => {
  it("the API server's status, type, Retry-After and warnings, and nothing of the connection's", async () => {
    const { send, asked, clock } = await scripted();
    const answer = send("GET", `${maps}/a`);
    await clock.settle();
    const headers = new Headers({
      "content-type": "application/json",
      "retry-after": "7",
      "set-cookie": "session=1",
      connection: "upgrade",
      "x-kubernetes-pf-flowschema-uid": "1",
      "cache-control": "public",
    });
    headers.append("warning", '299 - "old"');
    headers.append("warning", '299 - "older"');
    asked[0]!.answer(new Response('{"kind":"Status"}', { status: 429, headers }));
    const response = await answer;
    expect(response.status).toBe(429);
    expect(await response.text()).toBe('{"kind":"Status"}');
    expect(Object.fromEntries(response.headers)).toEqual({
      "content-type": "application/json",
      "retry-after": "7",
      warning: '299 - "old", 299 - "older"',
      "cache-control": "no-store",
    });
  });

  it("an answer as it comes, before it has ended", async () => {
    const { send, asked, clock } = await scripted();
    const answer = send("GET", maps);
    await clock.settle();
    asked[0]!.answer(new Response(endless().body, { headers: { "content-type": "application/json" } }));
    const reader = (await answer).body!.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe("{");
    await reader.cancel();
  });

  it("a short answer in one piece, a longer one as it comes", async () => {
    const { send, asked, clock } = await scripted();
    for (const length of [65_536, 65_537]) {
      const answer = send("GET", `${maps}/a`);
      await clock.settle();
      const headers = { "content-type": "application/json", "content-length": String(length) };
      asked.at(-1)!.answer(new Response("a".repeat(length), { headers }));
      const response = await answer;
      expect(response.headers.get("content-length")).toBe(length === 65_536 ? "65536" : null);
      expect(await response.text()).toHaveLength(length);
      expect(clock.timers).toBe(0);
    }
  });

  it("502, where a short answer breaks off", async () => {
    const { send, asked, clock } = await scripted();
    const answer = send("GET", `${maps}/a`);
    await clock.settle();
    const body = new ReadableStream({ pull: (controller) => controller.error(new TypeError("terminated")) });
    asked[0]!.answer(new Response(body, { headers: { "content-length": "100" } }));
    expect((await answer).status).toBe(502);
    expect(clock.timers).toBe(0);
  });

  it("an answer without a body", async () => {
    const { send, asked, clock } = await scripted();
    const answer = send("DELETE", `${maps}/a`);
    await clock.settle();
    asked[0]!.answer(new Response(null, { status: 204 }));
    expect((await answer).status).toBe(204);
    expect(clock.timers).toBe(0);
  });

  it("502 with a problem, where the API server cannot be reached", async () => {
    const { send, asked, clock, logger } = await scripted();
    const answer = send("GET", `${maps}/a`);
    await clock.settle();
    asked[0]!.fail(new TypeError("connect ECONNREFUSED 10.0.0.1:443"));
    const response = await answer;
    expect(response.status).toBe(502);
    const { error } = problem.parse(await response.json());
    expect(error).toEqual({ code: "api-server-unreachable", message: "the API server did not answer" });
    expect(logger.lines).toMatchObject([{ level: "warn", fields: { error: expect.stringContaining("ECONNREFUSED") } }]);
    expect(clock.timers).toBe(0);
  });
});

describe("S5 the end of a request", () => {
  it("its deadline ends it upstream, and says so", async () => {
    const { send, asked, clock } = await scripted();
    const answer = send("GET", `${maps}/a`, { remainingMs: 1_500 });
    await clock.settle();
    await clock.advance(1_499);
    expect(asked[0]!.init.signal?.aborted).toBe(false);
    await clock.advance(1);
    expect(asked[0]!.init.signal?.aborted).toBe(true);
    expect(problem.parse(await (await answer).json()).error.code).toBe("deadline-passed");
    expect((await answer).status).toBe(504);
  });

  it("it is corrected by the offset of the clocks, not lengthened by the way", async () => {
    const { gateway, requestOf, send, asked, clock } = await scripted();
    const skewMs = 120_000;
    await Promise.all([send("GET", `${maps}/a`, { skewMs, remainingMs: 1 }), clock.advance(10)]);
    const slow = await requestOf("GET", `${maps}/a`, { skewMs, remainingMs: 5_000 });
    await clock.advance(3_000);
    const answer = gateway.fetch(slow);
    await clock.settle();
    await clock.advance(1_999);
    expect(asked[1]!.init.signal?.aborted).toBe(false);
    await clock.advance(1);
    expect(asked[1]!.init.signal?.aborted).toBe(true);
    expect((await answer).status).toBe(504);
  });

  it("in the middle of an answer it breaks the answer off, so that no part passes for the whole", async () => {
    const { send, asked, clock } = await scripted();
    const answer = send("GET", maps, { remainingMs: 1_000 });
    await clock.settle();
    const { body, state } = endless();
    asked[0]!.answer(new Response(body));
    const text = (await answer).text();
    const broken = expect(text).rejects.toThrow("deadline");
    await clock.advance(1_000);
    await broken;
    expect(state.cancelled).toBe(true);
  });

  it("the client's end is the upstream request's, before and in the middle of an answer", async () => {
    const { send, asked, clock } = await scripted();
    const client = new AbortController();
    const before = send("GET", `${maps}/a`, { signal: client.signal });
    await clock.settle();
    client.abort();
    expect(asked[0]!.init.signal?.aborted).toBe(true);
    expect((await before).status).toBe(499);

    const middle = send("GET", maps);
    await clock.settle();
    const { body, state } = endless();
    asked[1]!.answer(new Response(body));
    await (await middle).body!.cancel();
    expect(state.cancelled).toBe(true);
    expect(clock.timers).toBe(0);
  });

  it("a client that has gone already gets nothing sent for it", async () => {
    const { send, asked, clock } = await scripted();
    expect((await send("GET", `${maps}/a`, { signal: AbortSignal.abort() })).status).toBe(499);
    expect(asked).toEqual([]);
    expect(clock.timers).toBe(0);
  });

  it("a relay that is stopped ends what is under way", async () => {
    const { gateway, send, asked, clock } = await scripted();
    const answer = send("GET", `${maps}/a`);
    await clock.settle();
    gateway.stop();
    expect(asked[0]!.init.signal?.aborted).toBe(true);
    expect((await answer).status).toBe(503);
    expect(clock.timers).toBe(0);
  });
});
