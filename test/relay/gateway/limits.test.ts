import { describe, expect, it } from "vitest";
import type { VirtualClock } from "../../../adapters/testing/virtual-clock.ts";
import { problem } from "../../../functions/contract/index.ts";
import { errorOf } from "../../../functions/kube/answer.ts";
import { TooManyRequestsError } from "../../../functions/kube/errors.ts";
import type { KubeTransport } from "../../../functions/ports/index.ts";
import { configMap, gatewayUnderTest, manifestWith, mapsIn, rule } from "./gateway-under-test.ts";

const maps = mapsIn("default");
const declared = manifestWith({
  documents: [rule("configmaps", ["get", "list", "create"])],
  others: [rule("configmaps", ["get"])],
});

/** A gateway of one request at once, before an API server that a test answers for. */
function oneAtOnce() {
  const answers: ((response: Response) => void)[] = [];
  const transport: KubeTransport = {
    fetch: (_, init = {}) =>
      new Promise((resolve, reject) => {
        answers.push(resolve);
        init.signal?.addEventListener("abort", () => reject(init.signal?.reason), { once: true });
      }),
  };
  const gateway = gatewayUnderTest({ transport, limits: { concurrency: 1 } }, { declared });
  return { ...gateway, answers };
}

/** Something that is under way, and must not be waited for here. It has come as far as it can. */
async function underWay<T>(clock: VirtualClock, asking: Promise<T>): Promise<{ asking: Promise<T> }> {
  await clock.settle();
  return { asking };
}

describe("a controller that asks too much", () => {
  it("waits for its turn, which an answer gives back when its body has ended", async () => {
    const { clock, send, answers } = oneAtOnce();
    const first = await underWay(clock, send("GET", `${maps}/a`));
    const second = await underWay(clock, send("GET", `${maps}/b`));
    expect(answers).toHaveLength(1);
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    answers[0]!(new Response(readable));
    const text = (await first.asking).text();
    await clock.settle();
    expect(answers).toHaveLength(1);
    await writer.close();
    await text;
    await clock.settle();
    expect(answers).toHaveLength(2);
    answers[1]!(Response.json({}));
    expect((await second.asking).status).toBe(200);
  });

  it("does not hold up another one", async () => {
    const { clock, send, answers } = oneAtOnce();
    const blocked = [await underWay(clock, send("GET", `${maps}/a`)), await underWay(clock, send("GET", `${maps}/b`))];
    const other = await underWay(clock, send("GET", `${maps}/a`, { controller: "others" }));
    expect(answers).toHaveLength(2);
    answers[1]!(Response.json({}));
    expect((await other.asking).status).toBe(200);
    expect(blocked).toHaveLength(2);
  });

  it("gets 429 with Retry-After and a problem, which kube takes for what it is; nothing was sent, and no line written", async () => {
    const { clock, send, answers, logger } = oneAtOnce();
    const first = await underWay(clock, send("GET", `${maps}/a`));
    const body = configMap("b");
    const second = await underWay(clock, send("POST", `${maps}?fieldManager=documents`, { body }));
    await clock.advance(5_000);
    const answer = await second.asking;
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(problem.parse(await answer.clone().json()).error.code).toBe("too-many-requests");
    const error = await errorOf(answer, { method: "POST", path: maps });
    expect(error).toBeInstanceOf(TooManyRequestsError);
    expect(error.retryAfterMs).toBe(1_000);
    expect(answers).toHaveLength(1);
    expect(logger.lines.map(({ message }) => message)).toEqual(["the gateway refused a request"]);
    expect(first).toBeDefined();
  });

  it("gives its turn back where the API server does not answer, and where its client goes", async () => {
    const { clock, send, answers } = oneAtOnce();
    const client = new AbortController();
    const left = await underWay(clock, send("GET", `${maps}/a`, { signal: client.signal }));
    const late = await underWay(clock, send("GET", `${maps}/b`, { remainingMs: 1_000 }));
    const last = await underWay(clock, send("GET", `${maps}/c`));
    client.abort();
    await clock.settle();
    expect(answers).toHaveLength(2);
    await clock.advance(1_000);
    expect(answers).toHaveLength(3);
    answers[2]!(new Response(null, { status: 204 }));
    expect([(await left.asking).status, (await late.asking).status, (await last.asking).status]).toEqual([
      499, 504, 204,
    ]);
    expect(clock.timers).toBe(0);
  });

  it("is told at once where the relay stops", async () => {
    const { clock, gateway, send } = oneAtOnce();
    const both = [await underWay(clock, send("GET", `${maps}/a`)), await underWay(clock, send("GET", `${maps}/b`))];
    gateway.stop();
    for (const { asking } of both) expect((await asking).status).toBe(503);
  });
});
