import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  API_VERSION,
  MAX_BODY_BYTES,
  manifest as manifestSchema,
  problem,
  triggersAnswer,
} from "../../../functions/contract/index.ts";
import { createIngress } from "../../../functions/http/ingress.ts";
import type { Scheduler } from "../../../functions/ports/index.ts";
import { refOf, triggerOf } from "../../support/shard.ts";
import { AWAY, batch, HOME, HOME_NEXT, ingressUnderTest, manifest } from "./ingress-under-test.ts";

const errorOf = async (response: Response) => problem.parse(await response.json()).error;

describe("POST /triggers", () => {
  it("S3 answers 202 with what a relay needs to know, once the scheduler has committed", async () => {
    const ingress = ingressUnderTest();
    const response = await ingress.trigger(batch([triggerOf("a"), triggerOf("b")]));
    expect(response.status).toBe(202);
    expect(triggersAnswer.parse(await response.json())).toEqual({
      apiVersion: API_VERSION,
      accepted: 2,
      rejected: [],
      nextWakeInMs: expect.any(Number),
      timer: "platform",
      revision: "r1",
      epoch: expect.any(String),
    });
    expect(ingress.scheduler.inspect(refOf("a"))).toBeDefined();
    expect(ingress.scheduler.inspect(refOf("b"))).toBeDefined();
  });

  it("S3 commits before it reports the step, and answers after it", async () => {
    const order: string[] = [];
    const steps = {
      async reach(step: string) {
        order.push(`${step}: ${ingress.scheduler.size().entries} kept`);
      },
    };
    const ingress = ingressUnderTest({ steps });
    await ingress.trigger(batch());
    order.push("answered");
    expect(order).toEqual(["committed, not yet answered: 1 kept", "answered"]);
  });

  it("X1 merges a repeated batch, and answers 202 again", async () => {
    const ingress = ingressUnderTest();
    for (let time = 0; time < 3; time++) expect((await ingress.trigger(batch(), { id: "same" })).status).toBe(202);
    expect(ingress.scheduler.size().entries).toBe(1);
  });

  it("X1 accepts either secret of a cluster while one replaces the other", async () => {
    const ingress = ingressUnderTest();
    for (const secrets of [[HOME], [HOME_NEXT], [HOME, HOME_NEXT]])
      expect((await ingress.trigger(batch(), { secrets })).status).toBe(202);
  });

  it("X2 keeps a key for the cluster that sent it", async () => {
    const ingress = ingressUnderTest();
    await ingress.trigger(batch([triggerOf("a")], "away"), { secrets: [AWAY] });
    expect(ingress.scheduler.inspect({ ...refOf("a"), cluster: "away" })).toBeDefined();
    expect(ingress.scheduler.inspect(refOf("a"))).toBeUndefined();
  });

  it("S21 rejects by their index the triggers that a full scheduler has no room for, and accepts the others", async () => {
    const ingress = ingressUnderTest({}, { keys: 1 });
    await ingress.trigger(batch([triggerOf("a")]));
    const response = await ingress.trigger(
      batch([triggerOf("x", { controller: "gadgets" }), triggerOf("b"), triggerOf("a"), triggerOf("c")]),
    );
    expect(response.status).toBe(202);
    const { accepted, rejected } = triggersAnswer.parse(await response.json());
    expect(accepted).toBe(1);
    expect(rejected).toEqual([
      { index: 0, error: expect.stringMatching(/^controller: /) },
      { index: 1, error: expect.stringMatching(/^shard-full/) },
      { index: 3, error: expect.stringMatching(/^shard-full/) },
    ]);
  });

  it("R5 rejects single triggers with their index and field, and accepts the others", async () => {
    const ingress = ingressUnderTest();
    const response = await ingress.trigger(
      batch([
        triggerOf("a", { controller: "gadgets" }),
        triggerOf("b"),
        triggerOf("c", { namespace: undefined }),
        triggerOf("d", { controller: "shelves" }),
        triggerOf("e", { controller: "shelves", namespace: undefined }),
      ]),
    );
    expect(response.status).toBe(202);
    expect(await response.json()).toMatchObject({
      accepted: 2,
      rejected: [
        { index: 0, error: "controller: gadgets is unknown here" },
        { index: 2, error: "namespace: is needed, since Document is namespaced" },
        { index: 3, error: "namespace: must be left out, since Shelf is cluster-scoped" },
      ],
    });
    expect(ingress.scheduler.size().entries).toBe(2);
  });

  it("answers 202 where every trigger is rejected", async () => {
    const ingress = ingressUnderTest();
    const response = await ingress.trigger(batch([triggerOf("a", { controller: "gadgets" })]));
    expect(response.status).toBe(202);
    expect(triggersAnswer.parse(await response.json())).toMatchObject({ accepted: 0, rejected: [{ index: 0 }] });
  });

  it("S3 answers 503 with Retry-After where the scheduler cannot commit, and says so in the log", async () => {
    const { scheduler } = ingressUnderTest();
    const broken: Scheduler = { ...scheduler, accept: () => Promise.reject(new Error("disk full")) };
    const ingress = ingressUnderTest({ scheduler: broken });
    const response = await ingress.trigger(batch());
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("1");
    expect(await errorOf(response)).toMatchObject({ code: "unavailable" });
    expect(ingress.logger.lines).toContainEqual(expect.objectContaining({ level: "error" }));
  });
});

describe("bodies", () => {
  /** Chunks that are made as they are read, without a length in a header. */
  function endless(chunks: number) {
    let read = 0;
    const chunk = new Uint8Array(65_536).fill(0x20);
    const body = new ReadableStream<Uint8Array>(
      { pull: (controller) => (read++ < chunks ? controller.enqueue(chunk) : controller.close()) },
      { highWaterMark: 0 },
    );
    return { body, read: () => read };
  }

  it("X3 a stream is read no further than the limit", async () => {
    const stream = endless(10_000);
    const response = await ingressUnderTest().send("POST", "/triggers", { body: stream.body });
    expect(response.status).toBe(413);
    expect(await errorOf(response)).toMatchObject({ limit: `${MAX_BODY_BYTES} bytes` });
    expect(stream.read()).toBeLessThanOrEqual(MAX_BODY_BYTES / 65_536 + 2);
  });

  it("X3 a Content-Length that lies is not believed", async () => {
    const sent = { body: endless(10_000).body, headers: { "content-length": "2" } };
    expect((await ingressUnderTest().send("POST", "/triggers", sent)).status).toBe(413);
  });

  it("X3 a sender that breaks off is its own trouble", async () => {
    const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("reset")) });
    const response = await ingressUnderTest().send("POST", "/triggers", { body });
    expect(response.status).toBe(400);
    expect(await errorOf(response)).toMatchObject({ code: "malformed", field: "body" });
  });

  it("X1 the signature is verified before the body is parsed", async () => {
    const response = await ingressUnderTest().send("POST", "/triggers", { body: "{", signed: "other" });
    expect(response.status).toBe(401);
  });

  it("X3 brackets in strings are no nesting", async () => {
    const deep = batch([triggerOf("a", { cause: `\\"${"[{".repeat(100)}` })]);
    expect((await ingressUnderTest().trigger(deep)).status).toBe(202);
  });

  it("X3 whatever a signed sender sends, the answer is no 5xx and names what is wrong", async () => {
    const ingress = ingressUnderTest();
    const texts = fc.oneof(
      fc.json(),
      fc.string({ unit: "binary" }),
      fc.json().map((json) => json.slice(0, -1)),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (body) => {
        const response = await ingress.send("POST", "/triggers", { body });
        expect(response.status).toBe(400);
        expect(await errorOf(response)).toHaveProperty("field");
      }),
    );
  });
});

describe("GET /manifest", () => {
  it("answers the manifest with its revision as the tag", async () => {
    const response = await ingressUnderTest().send("GET", "/manifest");
    expect(response.status).toBe(200);
    expect(response.headers.get("etag")).toBe('"r1"');
    expect(manifestSchema.parse(await response.json())).toEqual(manifest);
  });

  it.each(['"r1"', 'W/"r1"', '"r0", "r1"'])("answers 304 and no body to whoever has it: %s", async (tag) => {
    const response = await ingressUnderTest().send("GET", "/manifest", { headers: { "if-none-match": tag } });
    expect(response.status).toBe(304);
    expect(await response.text()).toBe("");
  });

  it("answers it again to whoever has another", async () => {
    const response = await ingressUnderTest().send("GET", "/manifest", { headers: { "if-none-match": '"r0"' } });
    expect(response.status).toBe(200);
  });
});

describe("other requests", () => {
  it("GET /healthz needs no signature", async () => {
    expect((await ingressUnderTest().app.request("/healthz")).status).toBe(200);
  });

  it.each(["/", "/trigger", "/triggers/", "/%", "/%00", "/manifest/../triggers/x", "//healthz"])(
    "an unknown path is a 404 with our body: %s",
    async (path) => {
      const response = await ingressUnderTest().app.request(`http://ingress.test${path}`);
      expect(response.status).toBe(404);
      expect(await errorOf(response)).toMatchObject({ code: "not-found" });
    },
  );

  it.each([
    ["PUT", "/triggers", "POST"],
    ["GET", "/triggers", "POST"],
    ["OPTIONS", "/triggers", "POST"],
    ["POST", "/manifest", "GET, HEAD"],
    ["DELETE", "/healthz", "GET, HEAD"],
  ])("a wrong method is a 405 that says which are right: %s %s", async (method, path, allow) => {
    const response = await ingressUnderTest().app.request(path, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe(allow);
    expect(await errorOf(response)).toMatchObject({ code: "method-not-allowed", field: "method" });
  });
});

describe("who may send", () => {
  it("X1 unsigned mode must be asked for, and says so in the log", async () => {
    const signed = ingressUnderTest();
    expect(signed.logger.lines).toEqual([]);
    const unsigned = ingressUnderTest({ unsigned: true, clusters: [{ name: "home", secrets: [] }] });
    expect(unsigned.logger.lines).toEqual([
      expect.objectContaining({ level: "warn", message: expect.stringContaining("unsigned") }),
    ]);
    const init = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(batch()),
    };
    expect((await unsigned.app.request("/triggers", init)).status).toBe(202);
    expect((await signed.app.request("/triggers", init)).status).toBe(401);
  });

  it("X2 unsigned mode still knows its clusters", async () => {
    const ingress = ingressUnderTest({ unsigned: true });
    expect((await ingress.trigger(batch([triggerOf("a")], "moon"))).status).toBe(403);
  });

  it.each([
    ["no cluster", [], "clusters: must name at least 1"],
    ["no secret", [{ name: "home", secrets: [] }], "home has no secret"],
    ["a weak secret", [{ name: "home", secrets: ["whsec_aHVudGVyMg=="] }], "24 to 64 bytes"],
    ["a name twice", [HOME, AWAY].map((secret) => ({ name: "home", secrets: [secret] })), "two are named home"],
  ])("X1 an ingress with %s is refused", (_, clusters, message) => {
    expect(() => ingressUnderTest({ clusters })).toThrow(message);
  });

  it("X4 no secret is quoted, in refusals or in the log", async () => {
    expect(() => ingressUnderTest({ clusters: [{ name: "home", secrets: ["hunter2"] }] })).not.toThrow("hunter2");
    const ingress = ingressUnderTest();
    const texts = [
      await (await ingress.trigger(batch(), { secrets: [AWAY] })).text(),
      await (await ingress.trigger({}, { secrets: [HOME] })).text(),
      JSON.stringify(ingress.logger.lines),
    ];
    for (const secret of [HOME, HOME_NEXT, AWAY]) for (const text of texts) expect(text).not.toContain(secret.slice(6));
  });
});

it("an error of our own is a 500 with our body, in the log, and tells nothing", async () => {
  const { scheduler, clock, logger } = ingressUnderTest();
  const clusters = [{ name: "home", secrets: [HOME] }];
  const steps = { reach: () => Promise.reject(new Error("inner secret")) };
  const app = createIngress({ manifest, clusters, scheduler, clock, logger, unsigned: true, steps });
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(batch()) };
  const response = await app.request("/triggers", init);
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain("inner");
  expect(logger.lines.at(-1)).toMatchObject({ level: "error", message: "the ingress failed" });
});

it("S5 every answer tells the functions' clock, from which a relay's gateway knows the offset of its own", async () => {
  const ingress = ingressUnderTest();
  const answers = await Promise.all([
    ingress.send("GET", "/manifest"),
    ingress.trigger(batch()),
    ingress.trigger("nonsense"),
    ingress.send("GET", "/nowhere"),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 202, 400, 404]);
  for (const { headers } of answers) expect(headers.get("x-sluice-now-ms")).toBe(String(ingress.clock.now()));
});
