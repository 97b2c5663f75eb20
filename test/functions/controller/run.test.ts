import { describe, expect, it, vi } from "vitest";
import { API_VERSION, MAX_DELAY_MS, reconcileAnswer } from "../../../functions/contract/index.ts";
import { awaitChange, requeueAfter } from "../../../functions/controller/action.ts";
import { ConfigMap } from "../../../functions/kinds.ts";
import type { Document } from "./documents.ts";
import { KEY, PATH, runUnderTest } from "./run-under-test.ts";

const notFound = (status: object, code = 404) =>
  Response.json(
    { kind: "Status", apiVersion: "v1", status: "Failure", reason: "NotFound", ...status },
    { status: code },
  );

describe("F1 state by key only", () => {
  it("reads the object without a resourceVersion, and gives it to the user's code", async () => {
    const reconcile = vi.fn(() => awaitChange());
    const bench = await runUnderTest({ reconcile });
    const { metadata } = await bench.create();
    const paths: string[] = [];
    bench.intercept(async (_, path) => {
      paths.push(path);
      return undefined;
    });
    const answer = await bench.run({}, { revision: "r1" });
    expect(paths).toEqual([`${PATH}/a`]);
    expect(reconcile).toHaveBeenCalledWith(
      expect.objectContaining({ spec: { title: "x", pages: 1 } }),
      expect.objectContaining({ key: KEY, attempt: 0 }),
    );
    expect(answer).toEqual({
      apiVersion: API_VERSION,
      outcome: "success",
      action: { awaitChange: true },
      observed: { uid: metadata.uid, resourceVersion: metadata.resourceVersion },
      revision: "r1",
    });
    expect(reconcileAnswer.parse(answer)).toEqual(answer);
  });

  it("logs what the API server warns of as the controller's, once", async () => {
    const bench = await runUnderTest({
      reconcile: async (doc, { kube }) => {
        await kube.apply({ apiVersion: "v1", kind: "ConfigMap", metadata: doc.metadata }).catch(() => {});
        return awaitChange();
      },
    });
    await bench.create();
    bench.intercept(async (method, path) => {
      const answer = await bench.server.transport.fetch(path, { method });
      return Response.json(await answer.json(), { headers: { warning: '299 - "Document v1 is old"' } });
    });
    await bench.run();
    const fields = { controller: "documents", key: expect.anything(), warning: "Document v1 is old" };
    expect(bench.logger.lines).toMatchObject([{ level: "warn", fields }, { message: "run completed" }]);
  });

  it("gives the user's code its client, platform and own dependencies", async () => {
    const bench = await runUnderTest({
      owns: [{ resource: ConfigMap }],
      async reconcile(doc, { kube, env, log, signal, ...rest }) {
        const { namespace = "", name } = doc.metadata;
        const child = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name }, data: {} } as const;
        await kube.apply(child, { owner: doc });
        await kube.patchStatus(doc, { phase: `${(env as { N: number }).N} ${"dns" in rest} ${signal.aborted}` });
        log.info("made");
        return requeueAfter("5m");
      },
    });
    await bench.create();
    const answer = await bench.run({}, { env: { N: 1 }, context: { dns: {} } });
    expect(answer).toMatchObject({ outcome: "success", action: { requeueAfterMs: 300_000 } });
    expect((await bench.stored())?.status?.phase).toBe("1 true false");
    const child = await bench.api("GET", "/api/v1/namespaces/default/configmaps/a");
    expect(child.metadata.managedFields?.[0]?.manager).toBe("documents");
    const { fields } = bench.logger.lines.find(({ message }) => message === "made") ?? {};
    expect(fields).toEqual({ controller: "documents", key: "home/documents/default/a" });
  });

  it.each([
    ["another namespace", { namespaces: ["other"] }],
    ["a label that is missing", { selector: { matchLabels: { team: "x", tier: "1" } } }],
    ["a label of another value", { selector: { matchLabels: { team: "y" } } }],
  ])("an object that is excluded is gone: %s", async (_, options) => {
    const reconcile = vi.fn(() => awaitChange());
    const bench = await runUnderTest({ ...options, reconcile });
    await bench.create({ labels: { team: "x" } });
    expect(await bench.run()).toMatchObject({ outcome: "gone" });
    expect(reconcile).not.toHaveBeenCalled();
  });

  it("an object that is selected is not", async () => {
    const bench = await runUnderTest({ namespaces: ["default"], selector: { matchLabels: { team: "x" } } });
    await bench.create({ labels: { team: "x", more: "y" } });
    expect(await bench.run()).toMatchObject({ outcome: "success" });
  });
});

describe("F2 gone is what the API server proves", () => {
  it("an absent object is gone, and nothing was observed", async () => {
    const bench = await runUnderTest();
    expect(await bench.run()).toEqual({ apiVersion: API_VERSION, outcome: "gone" });
  });

  it.each([
    ["a kind that is not served", () => new Response("404 page not found\n", { status: 404 })],
    ["a Status that names nothing", () => notFound({ details: {} })],
    ["a Status of another object", () => notFound({ details: { name: "b", group: "example.com", kind: "documents" } })],
    ["a Status of another kind", () => notFound({ details: { name: "a", group: "example.com", kind: "others" } })],
    ["a tunnel's page", () => new Response("<h1>no</h1>", { status: 404, headers: { "content-type": "text/html" } })],
    ["410", () => notFound({ reason: "Gone", details: { name: "a", group: "example.com", kind: "documents" } }, 410)],
    ["a server error", () => notFound({ reason: "InternalError" }, 500)],
  ])("any other answer is an error: %s", async (_, answer) => {
    const bench = await runUnderTest();
    bench.intercept(async () => answer());
    expect(await bench.run()).toMatchObject({ outcome: "error" });
  });

  it("an API server that does not answer is an error", async () => {
    const bench = await runUnderTest();
    bench.intercept(() => Promise.reject(new TypeError("fetch failed")));
    expect(await bench.run()).toEqual({ apiVersion: API_VERSION, outcome: "error", error: "fetch failed" });
  });
});

describe("F9 an object that does not fit its schema", () => {
  /** As an older version of the kind may have stored it. */
  async function misfit(options: Parameters<typeof runUnderTest>[0]) {
    const bench = await runUnderTest(options);
    await bench.create();
    bench.intercept(async (method, path) => {
      if (method !== "GET" || !path.startsWith(PATH)) return undefined;
      const stored = await bench.stored();
      return stored && Response.json({ ...stored, spec: { ...stored.spec, title: "" } });
    });
    return bench;
  }

  it("is terminal with the path, and in the log", async () => {
    const reconcile = vi.fn(() => awaitChange());
    const bench = await misfit({ reconcile });
    const answer = await bench.run();
    expect(answer).toMatchObject({ outcome: "terminal", observed: { uid: expect.any(String) } });
    expect("error" in answer && answer.error).toMatch(/^the stored Document does not fit its schema: spec\.title: /);
    expect(reconcile).not.toHaveBeenCalled();
    expect(bench.logger.lines).toContainEqual(
      expect.objectContaining({ level: "warn", fields: expect.objectContaining({ outcome: "terminal" }) }),
    );
  });

  it("gets no finalizer", async () => {
    const bench = await misfit({ finalizer: "example.com/x", cleanup: () => {} });
    expect(await bench.run()).toMatchObject({ outcome: "terminal" });
    expect((await bench.stored())?.metadata.finalizers).toBeUndefined();
  });

  it("is cleaned up as it is stored, and released", async () => {
    const cleanup = vi.fn((_: Document) => {});
    const bench = await misfit({ finalizer: "example.com/x", cleanup });
    await bench.merge({ metadata: { finalizers: ["example.com/x"] } });
    await bench.remove();
    expect(await bench.run()).toMatchObject({ outcome: "success" });
    expect(cleanup.mock.calls[0]?.[0].spec.title).toBe("");
    expect(await bench.stored()).toBeUndefined();
  });
});

describe("what the user's code returns", () => {
  it.each([undefined, null, true, {}, "5m", { requeueAfterMs: Number.NaN }, { requeueAfterMs: 1, awaitChange: true }])(
    "S9 anything but an Action is an error that says what is expected: %j",
    async (value) => {
      const bench = await runUnderTest({ reconcile: () => value as never });
      await bench.create();
      expect(await bench.run()).toMatchObject({
        outcome: "error",
        error: "reconcile must return requeueAfter(…) or awaitChange()",
      });
    },
  );

  it("S9 a delay of more than 180 days is cut", async () => {
    const bench = await runUnderTest({ reconcile: () => ({ requeueAfterMs: 1e15 }) });
    await bench.create();
    expect(await bench.run()).toMatchObject({ action: { requeueAfterMs: MAX_DELAY_MS } });
  });
});

describe("a request that cannot be run", () => {
  it.each([
    [
      "another controller's key",
      { key: { ...KEY, controller: "others" } },
      "error",
      "key.controller: this is documents",
    ],
    ["a name that leads elsewhere", { key: { ...KEY, name: "../x" } }, "error", "key.name: must be an object name"],
    ["no deadline", { deadlineMs: 0 }, "error", "deadlineMs: "],
    ["no namespace", { key: { ...KEY, namespace: undefined } }, "terminal", "key.namespace: Document is Namespaced"],
  ])("%s reaches nobody, and the field is named", async (_, fields, outcome, error) => {
    const bench = await runUnderTest();
    expect(await bench.run(fields)).toMatchObject({ outcome, error: expect.stringContaining(error) });
    expect(bench.sent).toEqual([]);
    expect(bench.kv.calls).toEqual([]);
  });
});
