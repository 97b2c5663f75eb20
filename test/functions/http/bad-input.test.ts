import { describe, expect, it } from "vitest";
import {
  API_VERSION,
  MAX_BODY_BYTES,
  MAX_MAP_BYTES,
  MAX_PART_BYTES,
  problem,
} from "../../../functions/contract/index.ts";
import { ingressRoutes } from "../../../functions/http/routes.ts";
import { triggerOf } from "../../support/shard.ts";
import { AWAY, batch, HOME, ingressUnderTest, MAPPED, type Sent, STRANGER } from "./ingress-under-test.ts";

const KINDS = ["forged", "stale", "repeated", "oversized", "malformed", "foreign-cluster"] as const;

/** To a path of the route, where that has parameters. */
type Asked = Sent & { path?: string };

/** A request, and how it must be answered: with a problem's code, field and limit where it is refused. */
type Row = {
  kind: (typeof KINDS)[number];
  what: string;
  send: Asked;
  /** Sent before, and answered as if alone. */
  before?: Asked;
  status: number;
  code?: string;
  field?: string;
  limit?: string;
};

const good = JSON.stringify(batch());
const bad = (fields: Record<string, unknown>): Sent => ({ body: JSON.stringify({ ...batch(), ...fields }) });
const badTrigger = (fields: Record<string, unknown>): Sent => bad({ triggers: [{ ...triggerOf("a"), ...fields }] });
const times = (count: number): Sent => bad({ triggers: Array.from({ length: count }, () => triggerOf("a")) });
const times51 = <T>(value: T): T[] => Array.from({ length: 51 }, () => value);
const latin1 = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
const nested = (depth: number): Sent => ({ body: `${"[".repeat(depth)}${"]".repeat(depth)}` });

const wake = { apiVersion: API_VERSION, cluster: "home" };
const goodWake = JSON.stringify(wake);
const badWake = (fields: Record<string, unknown>): Sent => ({ body: JSON.stringify({ ...wake, ...fields }) });

const related = (name = "a") => ({
  object: { apiVersion: "v1", kind: "Secret", metadata: { name, namespace: "default" } },
});
const mapping = { apiVersion: API_VERSION, cluster: "home", objects: [related()] };
const goodMap = JSON.stringify(mapping);
const badMap = (fields: Record<string, unknown>): Sent => ({ body: JSON.stringify({ ...mapping, ...fields }) });
const PART = "/checkpoint/home/RBNvo1WzZ4oRRq0W9-hknpT7T8If536D";
const index = {
  ...{ apiVersion: API_VERSION, cluster: "home", replaces: null, holder: "h", term: 1 },
  ...{ parts: [], retired: [], state: {} },
};
const goodIndex = JSON.stringify(index);
const badIndex = (fields: Record<string, unknown>): Sent => ({ body: JSON.stringify({ ...index, ...fields }) });
const manyParts = Array.from({ length: 1_001 }, () => "RBNvo1WzZ4oRRq0W9-hknpT7T8If536D");

/** Fields in the order in which a row is read: what comes, what goes back, and what the refusal names. */
const row = (
  kind: Row["kind"],
  what: string,
  send: Asked,
  status: number,
  code?: string,
  field?: string,
  limit?: string,
): Row => ({ kind, what, send, status, code, field, limit });

/** Signatures are refused alike on every signed route (X1). */
const unsigned = (rest: Sent): Row[] => {
  const forged = (what: string, how: Sent, code = "bad-signature") =>
    row("forged", what, { ...rest, ...how }, 401, code, "webhook-signature");
  const stale = (what: string, how: Sent) =>
    row("stale", what, { ...rest, ...how }, 401, "stale-timestamp", "webhook-timestamp", "300 s");
  return [
    forged("no signature", { headers: { "webhook-signature": "" } }, "missing-signature"),
    forged("a stranger's secret", { secrets: [STRANGER] }),
    forged("another body's signature", { signed: "other" }),
    forged("no version", { headers: { "webhook-signature": "AAAA" } }),
    stale("301 s late", { skewMs: -301_000 }),
    stale("302 s early", { skewMs: 302_000 }),
    stale("no time at all", { headers: { "webhook-timestamp": "soon" } }),
  ];
};

const oversized = (what: string, send: Asked, status: number, code: string, field: string, limit?: string) =>
  row("oversized", what, send, status, code, field, limit);
const malformed = (what: string, send: Asked, field: string, limit?: string) =>
  row("malformed", what, send, 400, "malformed", field, limit);
const wrongType = (what: string, field: string, value: string, body = good) =>
  row("malformed", what, { body, headers: { [field]: value } }, 415, "unsupported-media-type", field);
const foreign = (what: string, send: Asked) => row("foreign-cluster", what, send, 403, "foreign-cluster", "cluster");

const rows: Record<string, Row[]> = {
  "GET /healthz": [
    row("forged", "nothing is believed, so nothing is verified", { secrets: [STRANGER] }, 200),
    row("stale", "likewise", { skewMs: -1e9 }, 200),
    { ...row("repeated", "likewise", { id: "1" }, 200), before: { id: "1" } },
    row("oversized", "a header of 100 kB is not read", { headers: { "x-a": "a".repeat(1e5) } }, 200),
    row("malformed", "a header that makes no sense", { headers: { accept: "\u00ff;;" } }, 200),
    row("foreign-cluster", "no cluster is concerned", { secrets: [AWAY] }, 200),
  ],
  "GET /manifest": [
    ...unsigned({}),
    { ...row("repeated", "reading twice changes nothing", { id: "1" }, 200), before: { id: "1" } },
    row("oversized", "a tag of 100 kB", { headers: { "if-none-match": `"${"a".repeat(1e5)}"` } }, 200),
    row("malformed", "a tag that is none", { headers: { "if-none-match": 'r1,,"' } }, 200),
    row("foreign-cluster", "every cluster gets the same", { secrets: [AWAY] }, 200),
  ],
  "POST /triggers": [
    ...unsigned({ body: good }),
    { ...row("repeated", "a batch merges", { id: "1", body: good }, 202), before: { id: "1", body: good } },
    oversized("the body", { body: `${good}${" ".repeat(MAX_BODY_BYTES)}` }, 413, "too-large", "body", "1048576 bytes"),
    oversized("501 triggers", times(501), 413, "too-large", "triggers", "500 triggers"),
    oversized("33 levels", nested(33), 400, "too-deep", "body", "32 levels"),
    oversized("half a million levels", nested(500_000), 400, "too-deep", "body", "32 levels"),
    oversized("a name", badTrigger({ name: "a".repeat(254) }), 400, "malformed", "triggers[0].name", "at most 253"),
    malformed("no body", {}, "body"),
    malformed("no JSON", { body: "{" }, "body"),
    malformed("no UTF-8", { body: latin1(JSON.stringify(batch([triggerOf("a", { cause: "\u00ff" })]))) }, "body"),
    malformed("no object", { body: "null" }, "body"),
    malformed("another version", bad({ apiVersion: "sluice.dev/v0" }), "apiVersion"),
    malformed("an unknown field", bad({ extra: 1 }), "extra"),
    malformed("a prototype", { body: good.replace("{", '{"__proto__":{"x":1},') }, "__proto__"),
    malformed("an empty batch", times(0), "triggers", "at least 1"),
    malformed("a name that leads elsewhere", badTrigger({ name: "../../secrets/a" }), "triggers[0].name"),
    malformed("a namespace that leads elsewhere", badTrigger({ namespace: "a/../b" }), "triggers[0].namespace"),
    malformed("a lane that there is not", badTrigger({ lane: "vip" }), "triggers[0].lane"),
    oversized(
      "a revision",
      badTrigger({ revision: "r".repeat(65) }),
      400,
      "malformed",
      "triggers[0].revision",
      "at most 64",
    ),
    wrongType("a form", "content-type", "application/x-www-form-urlencoded"),
    wrongType("a compressed body", "content-encoding", "gzip"),
    foreign("another cluster's relay", { body: good, secrets: [AWAY] }),
    foreign("a cluster that nobody knows", { ...bad({ cluster: "moon" }), secrets: [HOME] }),
  ],
  "GET /checkpoint/:cluster/:part": [
    ...unsigned({}),
    { ...row("repeated", "reading twice changes nothing", { id: "1" }, 404, "not-stored"), before: { id: "1" } },
    oversized("a name", { path: `/checkpoint/home/${"a".repeat(1e5)}` }, 400, "malformed", "part"),
    malformed("a part that leads elsewhere", { path: "/checkpoint/home/..%2f..%2fetc" }, "part"),
    malformed("a part of another form", { path: "/checkpoint/home/Index" }, "part"),
    foreign("another cluster's relay", { secrets: [AWAY] }),
    foreign("a cluster that nobody knows", { path: "/checkpoint/moon/index" }),
    foreign("a cluster that leads elsewhere", { path: "/checkpoint/..%2fhome/index" }),
  ],
  "PUT /checkpoint/:cluster/:part": [
    ...unsigned({ body: goodIndex }),
    {
      ...row("repeated", "an index is there", { id: "1", body: goodIndex }, 200),
      before: { id: "1", body: goodIndex },
    },
    row(
      "repeated",
      "an index that was replaced since",
      badIndex({ replaces: manyParts[0] }),
      412,
      "superseded",
      "replaces",
    ),
    oversized("body", { body: `${goodIndex}${" ".repeat(MAX_PART_BYTES)}` }, 413, "too-large", "body", "49152 bytes"),
    oversized("1001 parts", badIndex({ parts: manyParts }), 413, "too-large", "parts", "1000 parts"),
    oversized("1001 of before", badIndex({ retired: manyParts }), 413, "too-large", "retired", "1000 retired"),
    oversized("33 levels", nested(33), 400, "too-deep", "body", "32 levels"),
    oversized("a holder", badIndex({ holder: "h".repeat(65) }), 400, "malformed", "holder", "at most 64"),
    malformed("no body", {}, "body"),
    malformed("no JSON", { body: "{" }, "body"),
    malformed("no UTF-8", { body: latin1(goodIndex.replace('"h"', '"\u00ff"')) }, "body"),
    malformed("another version", badIndex({ apiVersion: "sluice.dev/v0" }), "apiVersion"),
    malformed("an unknown field", badIndex({ extra: 1 }), "extra"),
    malformed("a part that leads elsewhere", badIndex({ parts: ["../../away/index"] }), "parts[0]"),
    malformed("a part under another's name", { path: PART, body: "{ }" }, "part"),
    malformed("a part without UTF-8", { path: PART, body: latin1("\u00ff") }, "body"),
    wrongType("a form", "content-type", "application/x-www-form-urlencoded", goodIndex),
    wrongType("a compressed body", "content-encoding", "gzip", goodIndex),
    foreign("another cluster's relay", { body: goodIndex, secrets: [AWAY] }),
    foreign("another cluster's part", { path: PART.replace("home", "away"), body: "{}" }),
    foreign("an index of another cluster", badIndex({ cluster: "away" })),
  ],
  "POST /wake": [
    ...unsigned({ body: goodWake }),
    { ...row("repeated", "it looks again", { id: "1", body: goodWake }, 202), before: { id: "1", body: goodWake } },
    oversized("body", { body: `${goodWake}${" ".repeat(MAX_BODY_BYTES)}` }, 413, "too-large", "body", "1048576 bytes"),
    oversized("33 levels", nested(33), 400, "too-deep", "body", "32 levels"),
    oversized("a cluster's name", badWake({ cluster: "a".repeat(64) }), 400, "malformed", "cluster", "at most 63"),
    malformed("no body", {}, "body"),
    malformed("no JSON", { body: "{" }, "body"),
    malformed("a list", { body: "[]" }, "body"),
    malformed("another version", badWake({ apiVersion: "sluice.dev/v0" }), "apiVersion"),
    malformed("an unknown field", badWake({ force: true }), "force"),
    malformed("a cluster that leads elsewhere", badWake({ cluster: "../home" }), "cluster"),
    wrongType("a form", "content-type", "application/x-www-form-urlencoded", goodWake),
    foreign("another cluster's relay", { body: goodWake, secrets: [AWAY] }),
    foreign("a cluster that nobody knows", { ...badWake({ cluster: "moon" }), secrets: [HOME] }),
  ],
  "POST /map/:controller/:relation": [
    ...unsigned({ body: goodMap }),
    { ...row("repeated", "it tells again", { id: "1", body: goodMap }, 200), before: { id: "1", body: goodMap } },
    oversized("body", { body: `${goodMap}${" ".repeat(MAX_MAP_BYTES)}` }, 413, "too-large", "body", "4194304 bytes"),
    oversized("51 objects", badMap({ objects: times51(related()) }), 413, "too-large", "objects", "50 objects"),
    oversized("129 levels", nested(129), 400, "too-deep", "body", "128 levels"),
    oversized(
      "a name",
      badMap({ objects: [related("a".repeat(254))] }),
      400,
      "malformed",
      "objects[0].object.metadata.name",
      "at most 253",
    ),
    malformed("no body", {}, "body"),
    malformed("no JSON", { body: "{" }, "body"),
    malformed("an unknown field", badMap({ controller: "documents" }), "controller"),
    malformed("no objects", badMap({ objects: [] }), "objects", "at least 1"),
    malformed("an object that is none", badMap({ objects: [{ object: null }] }), "objects[0].object"),
    wrongType("a form", "content-type", "application/x-www-form-urlencoded", goodMap),
    foreign("another cluster's relay", { body: goodMap, secrets: [AWAY] }),
    foreign("a cluster that nobody knows", { ...badMap({ cluster: "moon" }), secrets: [HOME] }),
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
  const [method = "", pattern = ""] = route.split(" ");
  const pathOf = ({ path }: Row["send"]) =>
    path ??
    pattern
      .replace(":cluster", "home")
      .replace(":part", "index")
      .replace(":controller", "documents")
      .replace(":relation", encodeURIComponent(MAPPED));

  it.each(all)("$kind: $what", async ({ send, before, status, code, field, limit }) => {
    const ingress = ingressUnderTest();
    if (before) expect((await ingress.send(method, pathOf(before), before)).status).toBe(status);
    const response = await ingress.send(method, pathOf(send), send);
    expect(response.status).toBe(status);
    if (code === undefined) return;
    expect(problem.parse(await response.json()).error).toEqual({
      code,
      message: expect.any(String),
      ...(field !== undefined && { field }),
      ...(limit !== undefined && { limit }),
    });
    expect(ingress.scheduler.size().entries, "nothing of a refused request is kept").toBe(0);
    expect(await ingress.kv.get("checkpoint:home/index")).toBeUndefined();
  });
});
