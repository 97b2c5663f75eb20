import { describe, expect, it, vi } from "vitest";
import { awaitChange, requeueAfter } from "../../../functions/controller/action.ts";
import { type Document, FINALIZER } from "./documents.ts";
import { PATH, runUnderTest } from "./run-under-test.ts";

const OTHER = "example.org/other";
const GET = `GET ${PATH}/a`;
const PATCH = `PATCH ${PATH}/a`;

async function bench(options: Parameters<typeof runUnderTest>[0] = {}) {
  const reconcile = vi.fn((_: Document) => awaitChange());
  const cleanup = vi.fn((_: Document): void => {});
  const under = await runUnderTest({ reconcile, finalizer: FINALIZER, cleanup, ...options });
  /** Changes the world under the first patches of a run. */
  const beforePatches = (...changes: (() => Promise<unknown>)[]): void =>
    under.intercept(async (method) => {
      if (method === "PATCH") await changes.shift()?.();
      return undefined;
    });
  const label = (value: string) => () => under.merge({ metadata: { labels: { l: value } } });
  return { ...under, reconcile, cleanup, beforePatches, label };
}

describe("F3 an object that is not being deleted", () => {
  it("gets the finalizer first, and is reconciled in the same run as that patch returned it", async () => {
    const b = await bench();
    await b.create();
    const answer = await b.run();
    const stored = await b.stored();
    expect(b.sent).toEqual([GET, PATCH]);
    expect(stored?.metadata.finalizers).toEqual([FINALIZER]);
    expect(b.reconcile.mock.calls.map(([doc]) => doc.metadata.resourceVersion)).toEqual([
      stored?.metadata.resourceVersion,
    ]);
    expect(answer).toMatchObject({ observed: { resourceVersion: stored?.metadata.resourceVersion } });
  });

  it("keeps others' finalizers", async () => {
    const b = await bench();
    await b.create({ finalizers: [OTHER] });
    await b.run();
    expect((await b.stored())?.metadata.finalizers).toEqual([OTHER, FINALIZER]);
  });

  it("that has the finalizer costs no patch", async () => {
    const b = await bench();
    await b.create({ finalizers: [FINALIZER] });
    await b.run();
    expect(b.sent).toEqual([GET]);
    expect(b.reconcile).toHaveBeenCalledOnce();
  });

  it("is not reconciled where the API server refuses the finalizer", async () => {
    const b = await bench();
    await b.create();
    b.intercept(async (method) => (method === "PATCH" ? new Response("", { status: 403 }) : undefined));
    expect(await b.run()).toMatchObject({ outcome: "error" });
    expect(b.reconcile).not.toHaveBeenCalled();
  });
});

describe("F3 an object that is being deleted", () => {
  const deleted = async (options: Parameters<typeof bench>[0] = {}, finalizers = [FINALIZER]) => {
    const b = await bench(options);
    await b.create({ finalizers });
    await b.remove();
    return b;
  };

  it("is cleaned up and released, not reconciled", async () => {
    const b = await deleted();
    expect(await b.run()).toMatchObject({ outcome: "success", action: { awaitChange: true } });
    expect(b.cleanup).toHaveBeenCalledOnce();
    expect(b.reconcile).not.toHaveBeenCalled();
    expect(await b.stored()).toBeUndefined();
  });

  it("keeps others' finalizers", async () => {
    const b = await deleted({}, [OTHER, FINALIZER]);
    await b.run();
    expect((await b.stored())?.metadata.finalizers).toEqual([OTHER]);
  });

  it("without our finalizer is left alone", async () => {
    const b = await deleted({}, [OTHER]);
    expect(await b.run()).toMatchObject({ outcome: "success", action: { awaitChange: true } });
    expect([b.cleanup, b.reconcile].flatMap(({ mock }) => mock.calls)).toEqual([]);
    expect(b.sent).toEqual([GET]);
  });

  it("is left alone by a controller without a finalizer", async () => {
    const b = await deleted({ finalizer: undefined, cleanup: undefined });
    expect(await b.run()).toMatchObject({ outcome: "success" });
    expect(b.reconcile).not.toHaveBeenCalled();
  });

  it("whose cleanup is not finished keeps the finalizer and is looked at again: no failure", async () => {
    const b = await deleted({ cleanup: () => requeueAfter("10s") });
    expect(await b.run()).toMatchObject({ outcome: "success", action: { requeueAfterMs: 10_000 } });
    expect((await b.stored())?.metadata.finalizers).toEqual([FINALIZER]);
  });

  it("whose cleanup throws keeps the finalizer: a failure", async () => {
    const b = await deleted({ cleanup: () => Promise.reject(new Error("bucket is not empty")) });
    expect(await b.run()).toMatchObject({ outcome: "error", error: "bucket is not empty" });
    expect((await b.stored())?.metadata.finalizers).toEqual([FINALIZER]);
  });

  it.each([awaitChange(), null, true, {}])("whose cleanup returns nonsense keeps the finalizer: %j", async (value) => {
    const b = await deleted({ cleanup: () => value as never });
    expect(await b.run()).toMatchObject({ outcome: "error", error: expect.stringContaining("cleanup must return") });
    expect((await b.stored())?.metadata.finalizers).toEqual([FINALIZER]);
  });
});

describe("F1 an object that is excluded", () => {
  it("is cleaned up and released in the same run though it is not being deleted, and gone", async () => {
    const b = await bench({ selector: { matchLabels: { team: "x" } } });
    await b.create({ finalizers: [FINALIZER] });
    expect(await b.run()).toMatchObject({ outcome: "gone" });
    expect(b.cleanup).toHaveBeenCalledOnce();
    expect((await b.stored())?.metadata.finalizers ?? []).toEqual([]);
  });

  it("whose cleanup is not finished is not gone yet", async () => {
    const b = await bench({ namespaces: ["other"], cleanup: () => requeueAfter("1s") });
    await b.create({ finalizers: [FINALIZER] });
    expect(await b.run()).toMatchObject({ outcome: "success", action: { requeueAfterMs: 1_000 } });
  });
});

describe("F2 an object that changes under our finalizer patch", () => {
  it("by another's finalizer is read again, and both are kept", async () => {
    const b = await bench();
    await b.create();
    b.beforePatches(() => b.merge({ metadata: { finalizers: [OTHER] } }));
    expect(await b.run()).toMatchObject({ outcome: "success" });
    expect((await b.stored())?.metadata.finalizers).toEqual([OTHER, FINALIZER]);
    expect(b.reconcile).toHaveBeenCalledOnce();
  });

  it("by its deletion is gone, and not reconciled", async () => {
    const b = await bench();
    await b.create();
    b.beforePatches(b.remove);
    expect(await b.run()).toMatchObject({ outcome: "gone" });
    expect(b.reconcile).not.toHaveBeenCalled();
  });

  it("by a deletion that others hold up gets no finalizer", async () => {
    const b = await bench();
    await b.create({ finalizers: [OTHER] });
    b.beforePatches(b.remove);
    expect(await b.run()).toMatchObject({ outcome: "success", action: { awaitChange: true } });
    expect((await b.stored())?.metadata.finalizers).toEqual([OTHER]);
    expect(b.reconcile).not.toHaveBeenCalled();
  });

  it("F4 by being made anew is reconciled as the new one, which has its own finalizer", async () => {
    const b = await bench();
    const old = await b.create();
    b.beforePatches(async () => {
      await b.remove();
      await b.create();
    });
    const answer = await b.run();
    const stored = await b.stored();
    expect(stored?.metadata).toMatchObject({ finalizers: [FINALIZER] });
    expect(stored?.metadata.uid).not.toBe(old.metadata.uid);
    expect(answer).toMatchObject({ outcome: "success", observed: { uid: stored?.metadata.uid } });
  });

  it("F4 after its cleanup by being made anew is not released on its predecessor's behalf", async () => {
    const b = await bench();
    await b.create({ finalizers: [FINALIZER] });
    await b.remove();
    b.beforePatches(async () => {
      await b.merge({ metadata: { finalizers: null } });
      await b.create({ finalizers: [FINALIZER] });
    });
    expect(await b.run()).toMatchObject({ outcome: "success" });
    expect((await b.stored())?.metadata.finalizers).toEqual([FINALIZER]);
    expect([b.cleanup.mock.calls.length, b.reconcile.mock.calls.length]).toEqual([1, 1]);
  });

  it("between cleanup and release is not cleaned up twice", async () => {
    const b = await bench();
    await b.create({ finalizers: [FINALIZER, OTHER] });
    await b.remove();
    b.beforePatches(() => b.merge({ metadata: { finalizers: [OTHER, FINALIZER] } }));
    await b.run();
    expect((await b.stored())?.metadata.finalizers).toEqual([OTHER]);
    expect(b.cleanup).toHaveBeenCalledOnce();
  });

  it("is tried again three times, and is then an ordinary error with its cause", async () => {
    const b = await bench();
    await b.create();
    const flip = [1, 2, 3, 4, 5].map((n) => () => b.merge({ metadata: { finalizers: [`${OTHER}${n}`] } }));
    b.beforePatches(...flip);
    const answer = await b.run();
    expect(b.sent.filter((line) => line === PATCH)).toHaveLength(4);
    expect(answer).toMatchObject({
      outcome: "error",
      error: expect.stringContaining(`the API server refused to add the finalizer ${FINALIZER}: PATCH ${PATH}/a: `),
    });
    expect(b.reconcile).not.toHaveBeenCalled();
  });

  it("three times in a row is added at the fourth try", async () => {
    const b = await bench();
    await b.create();
    b.beforePatches(...[1, 2, 3].map((n) => () => b.merge({ metadata: { finalizers: [`${OTHER}${n}`] } })));
    expect(await b.run()).toMatchObject({ outcome: "success" });
    expect((await b.stored())?.metadata.finalizers).toEqual([`${OTHER}3`, FINALIZER]);
  });

  it.each([409, 422])("without having changed is an error at once: %i", async (code) => {
    const b = await bench();
    await b.create();
    const status = { kind: "Status", apiVersion: "v1", reason: "Invalid", message: "denied by policy", code };
    b.intercept(async (method) => (method === "PATCH" ? Response.json(status, { status: code }) : undefined));
    expect(await b.run()).toMatchObject({ outcome: "error", error: expect.stringContaining("denied by policy") });
    expect(b.sent).toEqual([GET, PATCH, GET]);
  });
});
