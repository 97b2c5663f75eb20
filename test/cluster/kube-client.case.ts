import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { createKube } from "../../functions/kube/client.ts";
import { crdOf } from "../../functions/kube/crd.ts";
import { customResource } from "../../functions/kube/custom-resource.ts";
import { ConflictError, InvalidError, NotServedError } from "../../functions/kube/errors.ts";
import type { Kube } from "../../functions/kube/kube.ts";
import { resourceRegistry } from "../../functions/kube/registry.ts";
import type { Infer } from "../../functions/kube/resource.ts";
import type { KubeTransport } from "../../functions/ports/index.ts";
import { ConfigMap, type ConfigMapObject, Namespace, Secret } from "../functions/kube-client/objects.ts";
import { applyCrd, newNamespace } from "./support/cluster.ts";
import { eventually } from "./support/eventually.ts";
import type { KubeApi } from "./support/kube-api.ts";

const Paper = customResource({
  group: "kube-client.sluice.test",
  version: "v1",
  kind: "Paper",
  plural: "papers",
  scope: "Namespaced",
  spec: z.object({ title: z.string() }),
  status: z.object({ phase: z.string(), observedGeneration: z.int() }).partial(),
});
type Paper = Infer<typeof Paper>;
const head = { apiVersion: "kube-client.sluice.test/v1", kind: "Paper" } as const;

/** Controllers by whose names requests are made, each a field manager. */
export const CONTROLLERS = ["papers", "stranger", "other"] as const;

/** A way to the API server. */
export type Way = {
  transportOf(controller: string): KubeTransport;
  close(): Promise<void>;
};

/** The client that user code gets, which sees no difference between the ways. */
export function isTheKubeClient(api: KubeApi, connected: () => Promise<Way>): void {
  let way: Way;
  let namespace: string;
  let requests: number;
  let kube: Kube;
  let owner: Paper;

  /** The client under test, counting its requests. */
  function kubeOf(controller: string): Kube {
    const transport = way.transportOf(controller);
    const fetch: KubeTransport["fetch"] = (...args) => {
      requests++;
      return transport.fetch(...args);
    };
    const resources = resourceRegistry([Paper, ConfigMap, Secret, Namespace]);
    return createKube({ transport: { fetch }, resources, fieldManager: controller });
  }

  async function counted<T>(work: () => Promise<T>): Promise<[number, T]> {
    const before = requests;
    const result = await work();
    return [requests - before, result];
  }

  const configMap = (data: Record<string, string>) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "child", namespace },
    data,
  });
  const stored = () => kube.get(ConfigMap, { name: "child", namespace });

  beforeAll(async () => {
    await applyCrd(api, crdOf(Paper));
    way = await connected();
  });

  afterAll(async () => {
    await way?.close();
    await api.close();
  });

  beforeEach(async () => {
    namespace = await newNamespace(api);
    requests = 0;
    kube = kubeOf("papers");
    const metadata = { name: "a", namespace };
    owner = await kube.create<Paper>({ ...head, metadata, spec: { title: "A" } });
  });

  describe("apply with an owner", () => {
    test("takes one request to create, to change and to change nothing (F5)", async () => {
      const [creating, created] = await counted(() => kube.apply<ConfigMapObject>(configMap({ a: "1" }), { owner }));
      const [changing, changed] = await counted(() => kube.apply<ConfigMapObject>(configMap({ a: "2" }), { owner }));
      const [idle, same] = await counted(() => kube.apply<ConfigMapObject>(configMap({ a: "2" }), { owner }));
      expect([creating, changing, idle]).toEqual([1, 1, 1]);
      expect(created.metadata.ownerReferences).toMatchObject([{ uid: owner.metadata.uid, controller: true }]);
      expect(changed.data).toEqual({ a: "2" });
      expect(same.metadata.resourceVersion).toBe(changed.metadata.resourceVersion);
    });

    test("F8 leaves a stranger's object as it is, and names its manager", async () => {
      await kubeOf("stranger").apply(configMap({ a: "theirs" }));
      const before = await stored();
      await expect(kube.apply(configMap({ a: "ours" }), { owner })).rejects.toThrow(
        /not controlled by Paper .*"stranger"/,
      );
      expect(await stored()).toEqual(before);
    });

    test("F8 adopts an unowned object without conflicting fields", async () => {
      await kubeOf("stranger").apply(configMap({ theirs: "1" }));
      const adopted = await kube.apply<ConfigMapObject>(configMap({ ours: "2" }), { owner });
      expect(adopted.data).toEqual({ theirs: "1", ours: "2" });
      expect(adopted.metadata.ownerReferences).toMatchObject([{ uid: owner.metadata.uid }]);
    });

    test("F8 takes back what a stranger changed of its own child, in three requests", async () => {
      const child = await kube.apply<ConfigMapObject>(configMap({ a: "ours" }), { owner });
      await kubeOf("stranger").mergePatch(child, { data: { a: "theirs", b: "kept" } });
      const [count, taken] = await counted(() => kube.apply<ConfigMapObject>(configMap({ a: "ours" }), { owner }));
      expect(count).toBe(3);
      expect(taken.data).toEqual({ a: "ours", b: "kept" });
    });

    test("F8 does not take another controller's child", async () => {
      const metadata = { name: "b", namespace };
      const other = await kube.create<Paper>({ ...head, metadata, spec: { title: "B" } });
      await kubeOf("stranger").apply(configMap({ theirs: "1" }), { owner: other });
      const error = await kube.apply(configMap({ ours: "2" }), { owner }).catch((error: unknown) => error);
      expect(error).toBeInstanceOf(InvalidError);
      expect((error as Error).message).toContain("Only one reference can have Controller set to true");
    });

    test("F4 of an owner that is gone makes a child that is garbage-collected", async () => {
      // Of a kind that the garbage collector knows from the start: a new one takes it up to 30 s.
      const gone = await kube.create({ ...configMap({}), metadata: { name: "owner", namespace } });
      await kube.delete(gone);
      await kube.apply(configMap({ a: "1" }), { owner: gone });
      const child = { name: "child", namespace };
      await eventually("the child is gone", 30_000, async () => !(await kube.find(ConfigMap, child)));
    });

    test("F8 adopt: false creates, changes its own, and refuses what others made", async () => {
      const options = { owner, adopt: false };
      await kube.apply(configMap({ a: "1" }), options);
      const [count, changed] = await counted(() => kube.apply<ConfigMapObject>(configMap({ a: "2" }), options));
      expect([count, changed.data]).toEqual([2, { a: "2" }]);
      await kube.delete(await stored());
      await kubeOf("stranger").apply(configMap({ b: "1" }));
      const before = await stored();
      await expect(kube.apply(configMap({ a: "3" }), options)).rejects.toMatchObject({ reason: "AlreadyExists" });
      expect(await stored()).toEqual(before);
    });

    test("F8 adopt: false refuses what is made between its read and its apply", async () => {
      const fetch: KubeTransport["fetch"] = async (path, init) => {
        const answer = await way.transportOf("papers").fetch(path, init);
        if (answer.status === 404) await kubeOf("stranger").apply(configMap({ b: "1" }));
        return answer;
      };
      const racing = createKube({
        transport: { fetch },
        resources: resourceRegistry([ConfigMap]),
        fieldManager: "papers",
      });
      const options = { owner, adopt: false };
      await expect(racing.apply(configMap({ a: "1" }), options)).rejects.toMatchObject({ reason: "AlreadyExists" });
      expect((await stored()).data).toEqual({ b: "1" });
    });
  });

  describe("the status", () => {
    test("is made, changed and left alone, in one, one and no request (F5)", async () => {
      const [making, made] = await counted(() => kube.patchStatus(owner, { phase: "New" }));
      const [changing, changed] = await counted(() =>
        kube.patchStatus(made, { phase: "Ready", observedGeneration: 1 }),
      );
      const [idle] = await counted(() => kube.patchStatus(changed, { phase: "Ready" }));
      expect([making, changing, idle]).toEqual([1, 1, 0]);
      expect(changed.status).toEqual({ phase: "Ready", observedGeneration: 1 });
      const removed = await kube.patchStatus(changed, { phase: undefined });
      expect(removed.status).toEqual({ observedGeneration: 1 });
    });

    test("of two writers keeps the fields of both", async () => {
      await kubeOf("other").patchStatus(owner, { phase: "Ready" });
      const [count, both] = await counted(() => kube.patchStatus(owner, { observedGeneration: 1 }));
      expect([count, both.status]).toEqual([3, { phase: "Ready", observedGeneration: 1 }]);
    });
  });

  describe("F4 a recreated object is never changed", () => {
    let successor: Paper;

    beforeEach(async () => {
      await kube.delete(owner);
      const metadata = { name: "a", namespace };
      successor = await kube.create<Paper>({ ...head, metadata, spec: owner.spec });
    });

    test.each<[string, () => Promise<unknown>, new (...args: never[]) => Error]>([
      ["status", () => kube.patchStatus(owner, { phase: "Ready" }), ConflictError],
      ["JSON patch", () => kube.jsonPatch(owner, [{ op: "replace", path: "/spec/title", value: "B" }]), InvalidError],
      ["merge patch", () => kube.mergePatch(owner, { spec: { title: "B" } }), InvalidError],
    ])("by %s", async (_, write, error) => {
      await expect(write()).rejects.toBeInstanceOf(error);
      expect(await kube.get(Paper, { name: "a", namespace })).toEqual(successor);
    });

    test("by a delete, whose object is gone indeed", async () => {
      await kube.delete(owner);
      expect(await kube.get(Paper, { name: "a", namespace })).toEqual(successor);
    });
  });

  describe("reading", () => {
    test("F2 an absent object is told from a version that is not served", async () => {
      const v9 = { ...Paper, version: "v9", apiVersion: `${Paper.group}/v9` };
      const reading = createKube({
        transport: way.transportOf("papers"),
        resources: resourceRegistry([Paper, v9]),
        fieldManager: "papers",
      });
      expect(await reading.find(Paper, { name: "absent", namespace })).toBeUndefined();
      expect(await reading.find(Paper, { name: "absent", namespace: "no-such" })).toBeUndefined();
      await expect(reading.find(v9, { name: "absent", namespace })).rejects.toBeInstanceOf(NotServedError);
    });

    test("lists more than a page", async () => {
      const names = Array.from({ length: 501 }, (_, index) => `p-${index}`);
      const create = (name: string) => kube.create({ ...configMap({}), metadata: { name, namespace } });
      for (let at = 0; at < names.length; at += 50) await Promise.all(names.slice(at, at + 50).map(create));
      requests = 0;
      const found = new Set<string>();
      for await (const { kind, metadata } of kube.list(ConfigMap, { namespace })) found.add(`${kind} ${metadata.name}`);
      expect(requests).toBe(2);
      expect(names.filter((name) => !found.has(`ConfigMap ${name}`))).toEqual([]);
    });
  });

  test("X4 an error quotes no value of a Secret", async () => {
    const data = { password: 12345 as unknown as string };
    const draft = { apiVersion: "v1", kind: "Secret", metadata: { name: "s", namespace }, data };
    const error = (await kube.apply(draft).catch((error: unknown) => error)) as Error;
    expect(error).toBeInstanceOf(Error);
    expect(error.message).toContain("the message is left out");
    expect(error.message).not.toContain("12345");
  });
}
