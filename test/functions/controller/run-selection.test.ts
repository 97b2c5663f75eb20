import { describe, expect, it, vi } from "vitest";
import { type Selection, selects } from "../../../functions/controller/selection.ts";
import { FINALIZER } from "./documents.ts";
import { runUnderTest } from "./run-under-test.ts";

describe("a label selector is judged as the API server judges it", () => {
  it.each<[Selection, Record<string, string> | undefined, boolean]>([
    [{}, undefined, true],
    [{ matchLabels: { a: "1" } }, { a: "1", b: "2" }, true],
    [{ matchLabels: { a: "1" } }, { a: "2" }, false],
    [{ matchLabels: { a: "1" } }, undefined, false],
    [{ matchLabels: { a: "" } }, undefined, false],
    [{ matchExpressions: [{ key: "a", operator: "In", values: ["1", "2"] }] }, { a: "2" }, true],
    [{ matchExpressions: [{ key: "a", operator: "In", values: ["1", "2"] }] }, { a: "3" }, false],
    [{ matchExpressions: [{ key: "a", operator: "In", values: ["1"] }] }, {}, false],
    [{ matchExpressions: [{ key: "a", operator: "NotIn", values: ["1"] }] }, { a: "2" }, true],
    [{ matchExpressions: [{ key: "a", operator: "NotIn", values: ["1"] }] }, { a: "1" }, false],
    [{ matchExpressions: [{ key: "a", operator: "NotIn", values: ["1"] }] }, {}, true],
    [{ matchExpressions: [{ key: "a", operator: "Exists" }] }, { a: "" }, true],
    [{ matchExpressions: [{ key: "a", operator: "Exists" }] }, {}, false],
    [{ matchExpressions: [{ key: "a", operator: "DoesNotExist" }] }, {}, true],
    [{ matchExpressions: [{ key: "a", operator: "DoesNotExist" }] }, { a: "" }, false],
    [{ matchLabels: { a: "1" }, matchExpressions: [{ key: "b", operator: "Exists" }] }, { a: "1" }, false],
  ])("%j of %j: %s", (selector, labels, expected) => {
    expect(selects(selector, labels)).toBe(expected);
  });
});

describe("F1 an object that is excluded is gone for its controller", () => {
  const labels = { team: "x", tier: "web" };

  it.each<[string, Selection, boolean]>([
    ["by an expression that fits", { matchExpressions: [{ key: "tier", operator: "In", values: ["web"] }] }, true],
    [
      "by an expression that does not",
      { matchExpressions: [{ key: "tier", operator: "NotIn", values: ["web"] }] },
      false,
    ],
    ["by a field that fits", { matchFields: { ".metadata.name": "a" } }, true],
    ["by a field that does not", { matchFields: { ".metadata.name": "b" } }, false],
    ["by a field that is missing", { matchFields: { ".spec.none": "b" } }, false],
    ["by a number, as its text", { matchFields: { ".spec.pages": "3" } }, true],
    [
      "by a truth that it leaves out, as the API server does",
      { matchFields: { ".spec.unschedulable": "false" } },
      true,
    ],
    ["by a number that it leaves out, as the API server does", { matchFields: { ".status.replicas": "0" } }, true],
    ["by a text that it leaves out", { matchFields: { ".spec.nodeName": "" } }, true],
    ["by a truth that it has not", { matchFields: { ".spec.unschedulable": "true" } }, false],
    ["by a number that is not 0", { matchFields: { ".spec.pages": "0" } }, false],
  ])("%s", async (_, selector, runs) => {
    const reconcile = vi.fn(() => ({ awaitChange: true }) as const);
    const bench = await runUnderTest({ selector, reconcile });
    await bench.create({ labels }, { title: "x", pages: 3 });
    expect(await bench.run()).toMatchObject({ outcome: runs ? "success" : "gone" });
    expect(reconcile).toHaveBeenCalledTimes(runs ? 1 : 0);
  });
});

describe("F1 namespaces by label", () => {
  const namespaces = { matchLabels: { team: "x" } };
  async function bench(options: Parameters<typeof runUnderTest>[0] = {}) {
    const reconcile = vi.fn(() => ({ awaitChange: true }) as const);
    const cleanup = vi.fn();
    const under = await runUnderTest({ namespaces, reconcile, ...options, ...(options?.finalizer && { cleanup }) });
    const label = (team: string) =>
      under.api(
        "PATCH",
        "/api/v1/namespaces/default",
        { metadata: { labels: { team } } },
        "application/merge-patch+json",
      );
    return { ...under, reconcile, cleanup, label };
  }

  it("the namespace is read as it is now, and its labels decide", async () => {
    const b = await bench();
    await b.create();
    await b.label("x");
    expect(await b.run()).toMatchObject({ outcome: "success" });
    expect(b.sent).toContain("GET /api/v1/namespaces/default");
    await b.label("y");
    expect(await b.run()).toMatchObject({ outcome: "gone" });
    expect(b.reconcile).toHaveBeenCalledOnce();
  });

  it("an object whose namespace is no longer selected is cleaned up and released in that run", async () => {
    const b = await bench({ finalizer: FINALIZER });
    await b.create();
    await b.label("x");
    await b.run();
    expect((await b.stored())?.metadata.finalizers).toEqual([FINALIZER]);
    await b.label("y");
    expect(await b.run()).toMatchObject({ outcome: "gone" });
    expect(b.cleanup).toHaveBeenCalledOnce();
    expect((await b.stored())?.metadata.finalizers ?? []).toEqual([]);
  });

  it("F2 an API server that does not tell is an error, never a reason to clean up", async () => {
    const b = await bench({ finalizer: FINALIZER });
    await b.create({ finalizers: [FINALIZER] });
    b.intercept(async (_, path) =>
      path.startsWith("/api/v1/namespaces/default?") || path === "/api/v1/namespaces/default"
        ? new Response("no such page", { status: 404 })
        : undefined,
    );
    expect(await b.run()).toMatchObject({ outcome: "error" });
    expect(b.cleanup).not.toHaveBeenCalled();
    expect((await b.stored())?.metadata.finalizers).toEqual([FINALIZER]);
  });

  it("a controller of all namespaces, or of named ones, reads none", async () => {
    for (const named of [undefined, ["default"]]) {
      const b = await bench({ namespaces: named } as never);
      await b.create();
      await b.run();
      expect(b.sent.filter((sent) => sent === "GET /api/v1/namespaces/default")).toEqual([]);
    }
  });
});
