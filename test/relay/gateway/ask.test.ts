import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { askOf } from "../../../infra/relay/gateway/ask.ts";
import { Refusal } from "../../../infra/relay/gateway/refusal.ts";

const maps = "/api/v1/namespaces/default/configmaps";
const JSON_TYPE = "application/json";
const APPLY = "application/apply-patch+yaml";
const JSON_PATCH = "application/json-patch+json";
const MERGE_PATCH = "application/merge-patch+json";

type Asked = { type?: string; body?: boolean; headers?: Record<string, string> };

function ask(method: string, path: string, { type, body = type !== undefined, headers = {} }: Asked = {}) {
  return askOf({
    method,
    url: `https://gateway.test${path}`,
    headers: new Headers({ ...(type !== undefined && { "content-type": type }), ...headers }),
    hasBody: body,
  });
}

function refusal(run: () => unknown) {
  try {
    run();
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status, field: error.problem.error.field };
    throw error;
  }
  return undefined;
}

describe("what kube sends is read", () => {
  it.each([
    ["get", "GET", `${maps}/a`, {}],
    ["list", "GET", `${maps}?limit=500`, {}],
    [
      "list",
      "GET",
      "/api/v1/configmaps?labelSelector=a%3Db&fieldSelector=metadata.name%3Da&limit=500&continue=eyJ2",
      {},
    ],
    ["create", "POST", `${maps}?fieldManager=documents`, { type: JSON_TYPE }],
    ["patch", "PATCH", `${maps}/a?fieldManager=documents`, { type: APPLY }],
    ["patch", "PATCH", `${maps}/a?fieldManager=documents&force=true`, { type: APPLY }],
    ["patch", "PATCH", `${maps}/a?fieldManager=documents`, { type: JSON_PATCH }],
    ["patch", "PATCH", `${maps}/a?fieldManager=documents&dryRun=All`, { type: MERGE_PATCH }],
    ["patch", "PATCH", `${maps}/a/status?fieldManager=documents`, { type: JSON_PATCH }],
    ["delete", "DELETE", `${maps}/a`, { type: JSON_TYPE }],
    ["delete", "DELETE", `${maps}/a?propagationPolicy=Foreground`, {}],
  ] as const)("%s: %s %s", (verb, method, path, asked) => {
    const read = ask(method, path, asked);
    expect(read).toMatchObject({ verb, method });
    expect(`${read.query}`).toBe(path.split("?")[1] ?? "");
    expect(read.contentType).toBe("type" in asked ? asked.type : undefined);
  });
});

describe("X2 what nobody needs is refused, and named", () => {
  it.each([
    ["PUT", `${maps}/a`, 405, "method"],
    ["HEAD", `${maps}/a`, 405, "method"],
    ["OPTIONS", maps, 405, "method"],
    ["get", `${maps}/a`, 405, "method"],
    ["DELETE", maps, 405, "method"],
    ["POST", `${maps}/a`, 405, "method"],
    ["PATCH", maps, 405, "method"],
    ["DELETE", `${maps}/a/status`, 405, "method"],
    ["GET", `${maps}?watch=true`, 400, "query.watch"],
    ["GET", `${maps}?watch`, 400, "query.watch"],
    ["GET", `${maps}?%77atch=1`, 400, "query.watch"],
    ["GET", `${maps}?allowWatchBookmarks=true`, 400, "query.allowWatchBookmarks"],
    ["GET", `${maps}?resourceVersion=0`, 400, "query.resourceVersion"],
    ["GET", `${maps}/a?resourceVersion=0`, 400, "query.resourceVersion"],
    ["GET", `${maps}/a?pretty=true`, 400, "query.pretty"],
    ["GET", `${maps}?timeoutSeconds=9999`, 400, "query.timeoutSeconds"],
    ["GET", `${maps}?limit=1&limit=2`, 400, "query.limit"],
    ["GET", `${maps}?limit=0`, 400, "query.limit"],
    ["GET", `${maps}?limit=-1`, 400, "query.limit"],
    ["GET", `${maps}?continue=%00`, 400, "query.continue"],
    ["GET", `${maps}?labelSelector=a%0Ab`, 400, "query.labelSelector"],
    ["GET", `${maps}?Limit=1`, 400, "query.Limit"],
    ["GET", `${maps}?constructor=1`, 400, "query.constructor"],
    ["GET", `${maps}?__proto__=1`, 400, "query.__proto__"],
    ["DELETE", `${maps}/a?gracePeriodSeconds=0`, 400, "query.gracePeriodSeconds"],
    ["DELETE", `${maps}/a?propagationPolicy=Everything`, 400, "query.propagationPolicy"],
    ["DELETE", `${maps}/a?dryRun=`, 400, "query.dryRun"],
    ["GET", "/api/v1/namespaces/default/pods/a/exec?command=sh", 400, "path"],
  ])("%s %s", (method, path, status, field) => {
    expect(refusal(() => ask(method, path))).toEqual({ status, field });
  });

  it.each([
    ["POST", maps, undefined],
    ["POST", maps, ""],
    ["POST", maps, "application/yaml"],
    ["POST", maps, "application/vnd.kubernetes.protobuf"],
    ["POST", maps, "application/json;charset=utf-8"],
    ["POST", maps, APPLY],
    ["PATCH", `${maps}/a`, JSON_TYPE],
    ["PATCH", `${maps}/a`, "application/strategic-merge-patch+json"],
    ["PATCH", `${maps}/a`, "application/apply-patch+cbor"],
    ["PATCH", `${maps}/a/status`, APPLY],
    ["PATCH", `${maps}/a/status`, MERGE_PATCH],
    ["DELETE", `${maps}/a`, "text/plain"],
  ])("%s %s with %s", (method, path, type) => {
    expect(refusal(() => ask(method, path, { ...(type !== undefined && { type }), body: true }))).toEqual({
      status: 415,
      field: "content-type",
    });
  });

  it("force without an apply, and a compressed body", () => {
    const forced = () => ask("PATCH", `${maps}/a?fieldManager=documents&force=true`, { type: MERGE_PATCH });
    expect(refusal(forced)).toEqual({ status: 400, field: "query.force" });
    const packed = () => ask("POST", maps, { type: JSON_TYPE, headers: { "content-encoding": "gzip" } });
    expect(refusal(packed)).toEqual({ status: 415, field: "content-encoding" });
  });

  it.each([
    "X-HTTP-Method-Override",
    "X-HTTP-Method",
    "X-Method-Override",
    "X-Original-URL",
    "X-Rewrite-URL",
    "Upgrade",
    "Impersonate-User",
    "Impersonate-Group",
    "Impersonate-Uid",
    "Impersonate-Extra-Scopes",
    "X-Remote-User",
    "X-Remote-Group",
    "X-Remote-Extra-Scopes",
  ])("the header %s", (name) => {
    const run = () => ask("GET", `${maps}/a`, { headers: { [name]: "DELETE" } });
    expect(refusal(run)).toEqual({ status: 400, field: name.toLowerCase() });
  });
});

describe("X2 whatever the query", () => {
  const text = fc.oneof(
    fc.constantFrom(
      "limit=1",
      "watch=1",
      "fieldSelector=a%2Cb%5C",
      "continue=a",
      "&",
      "=",
      "%",
      ";",
      "+",
      "#",
      "limit",
    ),
    fc.string({ unit: "binary", maxLength: 8 }),
  );

  it("what is sent on has the verb's parameters, each once, and nothing else", () => {
    const query = fc.array(text, { maxLength: 6 }).map((pieces) => pieces.join("&"));
    fc.assert(
      fc.property(query, (raw) => {
        let read: ReturnType<typeof ask>;
        try {
          read = ask("GET", `${maps}?${raw}`);
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal);
          return;
        }
        const names = [...read.query.keys()];
        expect(new Set(names).size).toBe(names.length);
        for (const name of names) expect(["limit", "continue", "labelSelector", "fieldSelector"]).toContain(name);
        expect(`${read.query}`).toMatch(/^[\w.*=&%+-]*$/);
      }),
      { numRuns: 2_000 },
    );
  });
});
