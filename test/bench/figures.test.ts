import { describe, expect, it } from "vitest";
import { parseAuditLog, summarize } from "./harness/audit-log.ts";
import { contentOf, titleOf } from "./harness/documents.ts";
import { Expectation } from "./harness/expectation.ts";
import { spread } from "./harness/statistics.ts";
import type { Report } from "./loop.ts";
import { table } from "./table.ts";

it("percentiles are values that were measured", () => {
  const hundred = Array.from({ length: 100 }, (_, i) => 100 - i);
  expect(spread(hundred)).toEqual({ count: 100, p50: 50, p90: 90, p99: 99, max: 100 });
  expect(spread([7])).toEqual({ count: 1, p50: 7, p90: 7, p99: 7, max: 7 });
});

describe("the audit log", () => {
  const line = (verb: string, stage: string, resource?: string, subresource?: string, code = 200) =>
    JSON.stringify({
      verb,
      stage,
      ...(resource ? { objectRef: { resource, subresource } } : {}),
      responseStatus: { code },
      requestReceivedTimestamp: "2026-01-01T00:00:00.000000Z",
    });
  const text = [
    line("list", "ResponseComplete", "documents"),
    line("watch", "ResponseStarted", "documents"),
    line("watch", "ResponseComplete", "documents"),
    line("get", "ResponseComplete"),
    line("patch", "ResponseComplete", "documents", "status"),
    line("patch", "ResponseComplete", "configmaps", undefined, 409),
    line("get", "ResponseComplete", "documents"),
    '{"cut off in the mid',
  ].join("\n");

  it("counts a watch once, when it starts, and all else when it ends", () => {
    expect(parseAuditLog(text).map(({ key }) => key)).toEqual([
      "list documents",
      "watch documents",
      "get discovery",
      "patch documents/status",
      "patch configmaps",
      "get documents",
    ]);
  });

  it("counts no question as a write", () => {
    const asked = parseAuditLog(`${line("create", "ResponseComplete", "selfsubjectreviews")}\n`);
    expect(summarize(asked, 0)).toMatchObject({ total: 1, writes: 0 });
  });

  it("counts per object only what grows with the objects", () => {
    const { total, writes, perObject, failed } = summarize(parseAuditLog(text), 2);
    expect({ total, writes, perObject, failed }).toEqual({
      total: 6,
      writes: 2,
      perObject: 1.5,
      failed: { "409 patch configmaps": 1 },
    });
  });
});

describe("an expectation", () => {
  const metadata = { name: "doc-00001", uid: "u", resourceVersion: "1", generation: 1 };
  const document = (version: number, observedGeneration: number) => ({
    metadata: { ...metadata, generation: version, finalizers: ["example.com/cleanup"] },
    spec: { title: "", content: contentOf("doc-00001", version) },
    status: { phase: "Ready", observedGeneration },
  });
  const configMap = (version: number) => ({
    metadata,
    data: { title: titleOf("doc-00001"), content: contentOf("doc-00001", version) },
  });

  it("is met by the newest content in both objects, the finalizer and a current status", () => {
    const expected = new Expectation("doc-00001");
    expect(expected.missing()).toEqual(["no Document"]);
    expected.seeDocument(document(1, 1));
    expect(expected.missing()).toEqual(["ConfigMap missing"]);
    expected.seeConfigMap(configMap(1));
    expect(expected.missing()).toEqual([]);

    expected.next();
    expected.seeDocument(document(2, 1));
    expect(expected.missing()).toEqual(["status behind", "ConfigMap stale"]);
    expected.seeDocument(document(2, 2));
    expected.seeConfigMap(configMap(2));
    expect(expected.missing()).toEqual([]);
  });

  it("remembers that the ConfigMap was broken", () => {
    const expected = new Expectation("doc-00001");
    expected.seeConfigMap(configMap(1));
    expected.seeConfigMap(undefined);
    expected.seeConfigMap(configMap(1));
    expect(expected.configMapFaults).toBe(1);
  });

  it("names what departs from the job", () => {
    const expected = new Expectation("doc-00001");
    expected.seeDocument(document(1, 1));
    expected.seeConfigMap(configMap(1));
    expect(expected.departures()).toEqual(["no controller owner reference", "not applied by the manager documents"]);
  });
});

it("the table has a column a command, and no row without a figure", () => {
  const report = (name: string, invocations: number | null) =>
    ({ name, command: "", failures: {}, scenarios: { restart: { invocations, requests: {} } } }) as unknown as Report;
  expect(table([report("sluice", 0), report("peer", null)]).split("\n")).toEqual([
    "                      sluice  peer",
    "restart, invocations       0     -",
  ]);
});
