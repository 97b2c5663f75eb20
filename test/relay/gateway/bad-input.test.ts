import { describe, expect, it } from "vitest";
import { gatewayContent, MAX_GATEWAY_BODY_BYTES, problem, sign } from "../../../functions/contract/index.ts";
import { configMap, gatewayUnderTest, HOME, HOME_NEXT, mapsIn, type Sent, STRANGER } from "./gateway-under-test.ts";

const KINDS = ["forged", "stale", "repeated", "late", "oversized", "malformed", "foreign-cluster", "beyond"] as const;

/** A request, and how it is refused: with a problem's code, field and limit. */
type Row = {
  kind: (typeof KINDS)[number];
  what: string;
  send: Sent;
  /** Sent before, and answered as if alone. */
  before?: Sent;
  /** How long the request was under way. */
  delayMs?: number;
  status: number;
  code: string;
  field?: string;
  limit?: string;
};

const homeCall = { cluster: "home", controller: "documents", contentType: "", body: new Uint8Array() };
const [maps, one] = [mapsIn("default"), `${mapsIn("default")}/a`];
const managed = "?fieldManager=documents";

/** One well-formed request a verb: what is refused must be refused for each. */
const good: Record<string, { method: string; path: string; send: Sent; answered: number }> = {
  get: { method: "GET", path: one, send: {}, answered: 404 },
  list: { method: "GET", path: `${maps}?limit=500`, send: {}, answered: 200 },
  create: { method: "POST", path: `${maps}${managed}`, send: { body: configMap("a") }, answered: 201 },
  patch: {
    answered: 404,
    method: "PATCH",
    path: `${one}${managed}`,
    send: { body: '{"data":{}}', type: "application/merge-patch+json" },
  },
  apply: {
    answered: 201,
    method: "PATCH",
    path: `${one}${managed}&force=true`,
    send: { body: configMap("a"), type: "application/apply-patch+yaml" },
  },
  delete: { method: "DELETE", path: one, send: {}, answered: 404 },
};

const row = (
  kind: Row["kind"],
  what: string,
  send: Sent,
  [status, code, field, limit]: [number, string, string?, string?],
): Row => ({ kind, what, send, status, code, field, limit });

const forged = (what: string, send: Sent) => row("forged", what, send, [401, "bad-signature", "webhook-signature"]);
const stale = (what: string, send: Sent) =>
  row("stale", what, send, [401, "stale-timestamp", "webhook-timestamp", "300 s"]);
const late = (what: string, send: Sent) => row("late", what, send, [408, "late", "x-sluice-deadline-ms"]);
const malformed = (what: string, send: Sent, field: string, limit?: string) =>
  row("malformed", what, send, [400, "malformed", field, limit]);

const rows: Row[] = [
  row("forged", "no signature", { headers: { "webhook-signature": "" } }, [
    401,
    "missing-signature",
    "webhook-signature",
  ]),
  forged("a stranger's secret", { secrets: [STRANGER] }),
  forged("another method's signature", { signed: { method: "HEAD" } }),
  forged("another object's signature", { signed: { path: `${maps}/b` } }),
  forged("another body's signature", { signed: { body: "{}" } }),
  forged("another controller in its header", { headers: { "x-sluice-controller": "others" } }),
  forged("another cluster in its header", { headers: { "x-sluice-cluster": "away" } }),
  forged("a later deadline in its header", { headers: { "x-sluice-deadline-ms": "900000" } }),
  forged("another sending in its header", { headers: { "x-sluice-sent-ms": "1767225600001" } }),
  forged("no deadline", { headers: { "x-sluice-deadline-ms": "" } }),
  forged("another content type", { headers: { "content-type": "application/json-patch+json" } }),
  forged("another id in its header", { headers: { "webhook-id": "other" } }),
  stale("301 s late", { skewMs: -301_000 }),
  stale("302 s early", { skewMs: 302_000 }),
  stale("no time at all", { headers: { "webhook-timestamp": "soon" } }),
  row("stale", "sent before the relay started", { skewMs: -1_000 }, [401, "stale-timestamp", "webhook-timestamp"]),
  {
    ...row("repeated", "the same id", { id: "1" }, [401, "repeated-id", "webhook-id"]),
    before: { id: "1" },
  },
  {
    ...row("repeated", "the same id, signed afresh", { id: "1", skewMs: 5_000 }, [401, "repeated-id", "webhook-id"]),
    before: { id: "1" },
  },
  {
    ...row("repeated", "the same id, with another secret", { id: "1", secrets: [HOME_NEXT] }, [
      401,
      "repeated-id",
      "webhook-id",
    ]),
    before: { id: "1" },
  },
  late("nothing left", { remainingMs: 0 }),
  {
    ...late("nothing left on its arrival, by the clock that an earlier request told", { remainingMs: 2_000 }),
    before: {},
    delayMs: 2_000,
  },
  row("oversized", "an id", { id: "a".repeat(65) }, [400, "malformed", "webhook-id"]),
  row("malformed", "an id with blanks", { id: "a b" }, [400, "malformed", "webhook-id"]),
  malformed("a controller that no controller can be", { controller: "../others" }, "x-sluice-controller"),
  malformed("no controller", { controller: "" }, "x-sluice-controller"),
  malformed("a deadline in the past", { remainingMs: -5 }, "x-sluice-deadline-ms", "900000 ms"),
  malformed("a method in a header", { headers: { "x-http-method-override": "PUT" } }, "x-http-method-override"),
  malformed("another user", { headers: { "impersonate-user": "admin" } }, "impersonate-user"),
  malformed("another group", { headers: { "impersonate-group": "system:masters" } }, "impersonate-group"),
  row("foreign-cluster", "another cluster's", { cluster: "away" }, [403, "foreign-cluster", "x-sluice-cluster"]),
  row("beyond", "a controller that is not declared", { controller: "nobody" }, [
    403,
    "unknown-controller",
    "x-sluice-controller",
  ]),
  row("beyond", "a controller that declared nothing of it", { controller: "others" }, [403, "not-declared", "path"]),
];

it("every kind has its rows", () => {
  for (const kind of KINDS) expect(rows.map((each) => each.kind)).toContain(kind);
});

describe.each(Object.entries(good))("X1 X2 S5 %s", (_, { method, path, send, answered }) => {
  // A GET has neither a body nor its type.
  const bodied = (sent: Sent) => send.body !== undefined || (!sent.signed?.body && !sent.headers?.["content-type"]);

  it("is answered as it stands", async () => {
    const gateway = gatewayUnderTest();
    expect((await gateway.send(method, path, send)).status).toBe(answered);
    expect(gateway.upstream).toHaveLength(1);
  });

  it.each(rows.filter((each) => bodied(each.send)))("$kind: $what", async (row) => {
    const { before, delayMs = 0, status, code, field, limit } = row;
    const gateway = gatewayUnderTest();
    const request = await gateway.requestOf(method, path, { ...send, ...row.send });
    if (before) await gateway.send(method, path, { ...send, ...before });
    const { length } = gateway.upstream;
    expect(length).toBe(before ? 1 : 0);
    await gateway.clock.advance(delayMs);
    const response = await gateway.gateway.fetch(request);
    expect(problem.parse(await response.json()).error).toEqual({
      code,
      message: expect.any(String),
      ...(field !== undefined && { field }),
      ...(limit !== undefined && { limit }),
    });
    expect(response.status).toBe(status);
    expect(gateway.upstream, "nothing reaches the API server").toHaveLength(length);
  });
});

it.each([
  ["a sending in another second", "x-sluice-sent-ms", "1767225601000", "60000"],
  ["a sending in no milliseconds", "x-sluice-sent-ms", "soon", "60000"],
  ["no sending", "x-sluice-sent-ms", "", "60000"],
  ["a deadline of more than the longest run", "x-sluice-deadline-ms", "1767225600000", "900001"],
  ["no deadline", "x-sluice-deadline-ms", "1767225600000", ""],
])("malformed, but signed: %s", async (_, field, sentMs, deadlineMs) => {
  const { gateway, clock, requestOf, upstream } = gatewayUnderTest();
  const { headers } = await requestOf("GET", one);
  const body = gatewayContent({ ...homeCall, method: "GET", path: one }, { sentMs, deadlineMs });
  const signature = await sign([HOME], { id: "1", now: clock.now(), body });
  const times = { "x-sluice-sent-ms": sentMs, "x-sluice-deadline-ms": deadlineMs };
  const all = { ...Object.fromEntries(headers), ...signature, ...times };
  const response = await gateway.fetch(new Request(`https://gateway.test${one}`, { headers: all }));
  expect(problem.parse(await response.json()).error).toMatchObject({ code: "malformed", field });
  expect(upstream).toEqual([]);
});

describe("X3 bodies", () => {
  const { path, send } = good.create!;
  const blanks = " ".repeat(MAX_GATEWAY_BODY_BYTES);

  it.each([
    ["a body of 3 MB and a byte", `${blanks} `, 413, "too-large", "3145728 bytes"],
    ["one that comes in pieces", chunked(4, MAX_GATEWAY_BODY_BYTES / 3), 413, "too-large", "3145728 bytes"],
    ["one that breaks off", broken(), 400, "malformed", undefined],
    ["one that is no UTF-8", Uint8Array.of(0x22, 0xff, 0x22), 400, "malformed", undefined],
  ])("%s", async (_, body, status, code, limit) => {
    const gateway = gatewayUnderTest();
    const response = await gateway.send("POST", path, { ...send, body });
    expect(problem.parse(await response.json()).error).toMatchObject({ code, field: "body", ...(limit && { limit }) });
    expect(response.status).toBe(status);
    expect(gateway.upstream).toEqual([]);
  });

  it("one of 3 MB passes whole", async () => {
    const gateway = gatewayUnderTest();
    const body = configMap("a").padEnd(MAX_GATEWAY_BODY_BYTES);
    await gateway.send("POST", path, { ...send, body });
    expect(gateway.upstream[0]?.init.body).toBe(body);
  });

  it("one that was refused leaves no trace: as many as there are", async () => {
    const gateway = gatewayUnderTest();
    for (let i = 0; i < 9; i++)
      expect((await gateway.send("POST", path, { ...send, body: `${blanks} ` })).status).toBe(413);
    expect((await gateway.send("POST", path, send)).status).toBe(201);
  });

  it("one that does not come within 10 s is given up", async () => {
    const gateway = gatewayUnderTest();
    const body = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) });
    const answer = gateway.send("POST", path, { ...send, body });
    await gateway.clock.advance(10_000);
    expect((await answer).status).toBe(408);
    expect(gateway.clock.timers).toBe(0);
  });

  it("one that says how long it is does not come within 10 s either", async () => {
    const gateway = gatewayUnderTest();
    const body = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) });
    const answer = gateway.send("POST", path, { ...send, body, headers: { "content-length": "10" } });
    await gateway.clock.advance(10_000);
    expect((await answer).status).toBe(408);
    expect(gateway.clock.timers).toBe(0);
  });

  it.each([
    ["is as long as it says", { "content-length": String(configMap("a").length) }, 201],
    ["is longer than it says", { "content-length": "9" }, 400],
    ["comes in chunks, whatever length it says", { "content-length": "9", "transfer-encoding": "chunked" }, 201],
  ])("one that %s", async (_, headers, status) => {
    const gateway = gatewayUnderTest();
    expect((await gateway.send("POST", path, { ...send, headers })).status).toBe(status);
  });

  it("strangers fill no memory: 24 MB at once are the most, and their end makes room", async () => {
    const gateway = gatewayUnderTest();
    const held = Array.from({ length: 8 }, () => heldOpen(MAX_GATEWAY_BODY_BYTES));
    const answers = held.map(({ body }) => gateway.send("POST", path, { body, secrets: [STRANGER] }));
    await gateway.clock.settle();
    const refused = await gateway.send("POST", path, { body: "a", secrets: [STRANGER] });
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("1");
    for (const { end } of held) end();
    for (const answer of answers) expect((await answer).status).toBe(401);
    expect((await gateway.send("POST", path, send)).status).toBe(201);
  });
});

function chunked(count: number, size: number): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if (sent++ === count) controller.close();
      else controller.enqueue(new Uint8Array(size));
    },
  });
}

function broken(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.error(new Error("reset")) });
}

function heldOpen(size: number): { body: ReadableStream<Uint8Array>; end(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let sent = false;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (!sent) {
        sent = true;
        return controller.enqueue(new Uint8Array(size));
      }
      await promise;
      controller.close();
    },
  });
  return { body, end: resolve };
}
