import { describe, expect, it } from "vitest";
import { MAX_BODY_BYTES, problem } from "../../../functions/contract/index.ts";
import { ingressRoutes } from "../../../functions/http/routes.ts";
import { triggerOf } from "../../support/shard.ts";
import { AWAY, batch, HOME, ingressUnderTest, type Sent, STRANGER } from "./ingress-under-test.ts";

const KINDS = ["forged", "stale", "repeated", "oversized", "malformed", "foreign-cluster"] as const;

/** A request, and how it must be answered: with a problem's code, field and limit where it is refused. */
type Row = {
  kind: (typeof KINDS)[number];
  what: string;
  send: Sent;
  /** Sent before, and answered as if alone. */
  before?: Sent;
  status: number;
  code?: string;
  field?: string;
  limit?: string;
};

const good = JSON.stringify(batch());
const bad = (fields: Record<string, unknown>): Sent => ({ body: JSON.stringify({ ...batch(), ...fields }) });
const badTrigger = (fields: Record<string, unknown>): Sent => bad({ triggers: [{ ...triggerOf("a"), ...fields }] });
const times = (count: number): Sent => bad({ triggers: Array.from({ length: count }, () => triggerOf("a")) });
const latin1 = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
const nested = (depth: number): Sent => ({ body: `${"[".repeat(depth)}${"]".repeat(depth)}` });

/** Signatures are refused alike on every signed route (X1). */
const unsigned = (rest: Sent): Row[] => [
  {
    kind: "forged",
    what: "no signature",
    send: { ...rest, headers: { "webhook-signature": "" } },
    status: 401,
    code: "missing-signature",
    field: "webhook-signature",
  },
  {
    kind: "forged",
    what: "a stranger's secret",
    send: { ...rest, secrets: [STRANGER] },
    status: 401,
    code: "bad-signature",
    field: "webhook-signature",
  },
  {
    kind: "forged",
    what: "another body's signature",
    send: { ...rest, signed: "other" },
    status: 401,
    code: "bad-signature",
    field: "webhook-signature",
  },
  {
    kind: "forged",
    what: "no version",
    send: { ...rest, headers: { "webhook-signature": "AAAA" } },
    status: 401,
    code: "bad-signature",
    field: "webhook-signature",
  },
  {
    kind: "stale",
    what: "301 s late",
    send: { ...rest, skewMs: -301_000 },
    status: 401,
    code: "stale-timestamp",
    field: "webhook-timestamp",
    limit: "300 s",
  },
  {
    kind: "stale",
    what: "302 s early",
    send: { ...rest, skewMs: 302_000 },
    status: 401,
    code: "stale-timestamp",
    field: "webhook-timestamp",
    limit: "300 s",
  },
  {
    kind: "stale",
    what: "no time at all",
    send: { ...rest, headers: { "webhook-timestamp": "soon" } },
    status: 401,
    code: "stale-timestamp",
    field: "webhook-timestamp",
  },
];

const rows: Record<string, Row[]> = {
  "GET /healthz": [
    { kind: "forged", what: "nothing is believed, so nothing is verified", send: { secrets: [STRANGER] }, status: 200 },
    { kind: "stale", what: "likewise", send: { skewMs: -1e9 }, status: 200 },
    { kind: "repeated", what: "likewise", before: { id: "1" }, send: { id: "1" }, status: 200 },
    {
      kind: "oversized",
      what: "a header of 100 kB is not read",
      send: { headers: { "x-a": "a".repeat(1e5) } },
      status: 200,
    },
    { kind: "malformed", what: "a header that makes no sense", send: { headers: { accept: "\u00ff;;" } }, status: 200 },
    { kind: "foreign-cluster", what: "no cluster is concerned", send: { secrets: [AWAY] }, status: 200 },
  ],
  "GET /manifest": [
    ...unsigned({}),
    { kind: "repeated", what: "reading twice changes nothing", before: { id: "1" }, send: { id: "1" }, status: 200 },
    {
      kind: "oversized",
      what: "a tag of 100 kB",
      send: { headers: { "if-none-match": `"${"a".repeat(1e5)}"` } },
      status: 200,
    },
    { kind: "malformed", what: "a tag that is none", send: { headers: { "if-none-match": 'r1,,"' } }, status: 200 },
    { kind: "foreign-cluster", what: "every cluster gets the same", send: { secrets: [AWAY] }, status: 200 },
  ],
  "POST /triggers": [
    ...unsigned({ body: good }),
    {
      kind: "repeated",
      what: "a batch merges",
      before: { id: "1", body: good },
      send: { id: "1", body: good },
      status: 202,
    },
    {
      kind: "oversized",
      what: "a body past the limit",
      send: { body: `${good}${" ".repeat(MAX_BODY_BYTES)}` },
      status: 413,
      code: "too-large",
      field: "body",
      limit: "1048576 bytes",
    },
    {
      kind: "oversized",
      what: "501 triggers",
      send: times(501),
      status: 413,
      code: "too-large",
      field: "triggers",
      limit: "500 triggers",
    },
    {
      kind: "oversized",
      what: "33 levels",
      send: nested(33),
      status: 400,
      code: "too-deep",
      field: "body",
      limit: "32 levels",
    },
    {
      kind: "oversized",
      what: "half a million levels",
      send: nested(500_000),
      status: 400,
      code: "too-deep",
      field: "body",
      limit: "32 levels",
    },
    {
      kind: "oversized",
      what: "a name of 254 characters",
      send: badTrigger({ name: "a".repeat(254) }),
      status: 400,
      code: "malformed",
      field: "triggers[0].name",
      limit: "at most 253",
    },
    { kind: "malformed", what: "no body", send: {}, status: 400, code: "malformed", field: "body" },
    { kind: "malformed", what: "no JSON", send: { body: "{" }, status: 400, code: "malformed", field: "body" },
    {
      kind: "malformed",
      what: "no UTF-8",
      send: { body: latin1(JSON.stringify(batch([triggerOf("a", { cause: "\u00ff" })]))) },
      status: 400,
      code: "malformed",
      field: "body",
    },
    { kind: "malformed", what: "no object", send: { body: "null" }, status: 400, code: "malformed", field: "body" },
    {
      kind: "malformed",
      what: "another version",
      send: bad({ apiVersion: "sluice.dev/v0" }),
      status: 400,
      code: "malformed",
      field: "apiVersion",
    },
    {
      kind: "malformed",
      what: "an unknown field",
      send: bad({ extra: 1 }),
      status: 400,
      code: "malformed",
      field: "extra",
    },
    {
      kind: "malformed",
      what: "a prototype",
      send: { body: good.replace("{", '{"__proto__":{"x":1},') },
      status: 400,
      code: "malformed",
      field: "__proto__",
    },
    {
      kind: "malformed",
      what: "an empty batch",
      send: times(0),
      status: 400,
      code: "malformed",
      field: "triggers",
      limit: "at least 1",
    },
    {
      kind: "malformed",
      what: "a name that leads elsewhere",
      send: badTrigger({ name: "../../secrets/a" }),
      status: 400,
      code: "malformed",
      field: "triggers[0].name",
    },
    {
      kind: "malformed",
      what: "a namespace that leads elsewhere",
      send: badTrigger({ namespace: "a/../b" }),
      status: 400,
      code: "malformed",
      field: "triggers[0].namespace",
    },
    {
      kind: "malformed",
      what: "a lane that there is not",
      send: badTrigger({ lane: "vip" }),
      status: 400,
      code: "malformed",
      field: "triggers[0].lane",
    },
    {
      kind: "malformed",
      what: "a form",
      send: { body: "a=1", headers: { "content-type": "application/x-www-form-urlencoded" } },
      status: 415,
      code: "unsupported-media-type",
      field: "content-type",
    },
    {
      kind: "malformed",
      what: "a compressed body",
      send: { body: good, headers: { "content-encoding": "gzip" } },
      status: 415,
      code: "unsupported-media-type",
      field: "content-encoding",
    },
    {
      kind: "foreign-cluster",
      what: "another cluster's relay",
      send: { body: good, secrets: [AWAY] },
      status: 403,
      code: "foreign-cluster",
      field: "cluster",
    },
    {
      kind: "foreign-cluster",
      what: "a cluster that nobody knows",
      send: { ...bad({ cluster: "moon" }), secrets: [HOME] },
      status: 403,
      code: "foreign-cluster",
      field: "cluster",
    },
  ],
};

it("X1 X3 every route has rows of every kind, and every row a route", () => {
  const routes = ingressRoutes.map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(rows).sort()).toEqual(routes.sort());
  for (const route of routes)
    for (const kind of KINDS)
      expect(
        rows[route]?.some((row) => row.kind === kind),
        `${route}: ${kind}`,
      ).toBe(true);
});

describe.each(Object.entries(rows))("%s", (route, all) => {
  const [method = "", path = ""] = route.split(" ");

  it.each(all)("$kind: $what", async ({ send, before, status, code, field, limit }) => {
    const ingress = ingressUnderTest();
    if (before) expect((await ingress.send(method, path, before)).status).toBe(status);
    const response = await ingress.send(method, path, send);
    expect(response.status).toBe(status);
    if (code === undefined) return;
    expect(problem.parse(await response.json()).error).toEqual({
      code,
      message: expect.any(String),
      ...(field !== undefined && { field }),
      ...(limit !== undefined ? { limit } : code === "stale-timestamp" && { limit: "300 s" }),
    });
    expect(ingress.scheduler.size().entries, "nothing of a refused request is kept").toBe(0);
  });
});
