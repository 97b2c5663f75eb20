import { describe, expect, it } from "vitest";
import * as z from "zod";
import { API_VERSION, manifest as manifestSchema, revisionOf } from "../../../functions/contract/index.ts";
import { awaitChange } from "../../../functions/controller/action.ts";
import { controllerManifestOf, manifestOf } from "../../../functions/controller/manifest.ts";
import { ConfigMap, Deployment, Namespace, Secret } from "../../../functions/kinds.ts";
import { customResource } from "../../../functions/kube/custom-resource.ts";
import { Document, documents, FINALIZER } from "./documents.ts";

const full = documents({
  namespaces: ["a", "b"],
  selector: { matchLabels: { team: "x" } },
  owns: [
    { resource: ConfigMap, ownWrites: "ignore" },
    { resource: Deployment, owner: "any" },
  ],
  watches: [
    { resource: Secret, namedBy: ".spec.secretName" },
    { resource: Secret, namedBy: ".spec.otherSecret" },
    { resource: ConfigMap, byLabel: "example.com/document" },
  ],
  access: [{ resource: Namespace, verbs: ["get"] }],
  finalizer: FINALIZER,
  cleanup: () => {},
});

const ref = (group: string, kind: string, plural: string, scope = "Namespaced") => ({
  group,
  version: "v1",
  kind,
  plural,
  scope,
});

describe("relations", () => {
  const { relations } = controllerManifestOf(full);

  it("R6 the primary passes by generation, everything else by resourceVersion", () => {
    expect(relations.map(({ id, predicate }) => [id, predicate])).toEqual([
      ["for", "generation"],
      ["owns/ConfigMap", "resourceVersion"],
      ["owns/Deployment", "resourceVersion"],
      ["watches/Secret", "resourceVersion"],
      ["watches/Secret:.spec.otherSecret", "resourceVersion"],
      ["watches/ConfigMap", "resourceVersion"],
    ]);
  });

  it("each says how it leads to keys, and what becomes of own writes", () => {
    expect(relations.map(({ mapping, ownWrites }) => [mapping, ownWrites])).toEqual([
      [{ by: "self" }, "trigger"],
      [{ by: "owner", owner: "controller" }, "ignore"],
      [{ by: "owner", owner: "any" }, "trigger"],
      [{ by: "namedBy", field: ".spec.secretName" }, "trigger"],
      [{ by: "namedBy", field: ".spec.otherSecret" }, "trigger"],
      [{ by: "label", label: "example.com/document" }, "trigger"],
    ]);
  });

  it("labels select primaries only, namespaces select related objects too", () => {
    const [primary, ...related] = relations.map(({ watch }) => watch);
    const namespaces = ["a", "b"];
    expect(primary).toEqual({
      resource: ref("example.com", "Document", "documents"),
      namespaces,
      matchLabels: { team: "x" },
    });
    for (const watch of related) expect(watch).toEqual({ resource: expect.anything(), namespaces });
    const { relations: plain } = controllerManifestOf(
      documents({ watches: [{ resource: Namespace, namedBy: ".spec.x" }] }),
    );
    expect(plain.map(({ watch }) => watch)).toEqual([
      { resource: ref("example.com", "Document", "documents") },
      { resource: ref("", "Namespace", "namespaces", "Cluster") },
    ]);
  });

  it("a kind of the same name in another group has an id of its own, and renames no other", () => {
    const other = (group: string) =>
      customResource({
        group,
        version: "v1",
        kind: "ConfigMap",
        plural: "configmaps",
        scope: "Namespaced",
        spec: z.object({}),
      });
    const owns = [ConfigMap, other("a.example.com"), other("b.example.com")].map((resource) => ({ resource }));
    const ids = controllerManifestOf(documents({ owns })).relations.map(({ id }) => id);
    expect(ids).toEqual(["for", "owns/ConfigMap", "owns/ConfigMap.a.example.com", "owns/ConfigMap.b.example.com"]);
    const watches = owns.flatMap(({ resource }) => [".spec.a", ".spec.b"].map((namedBy) => ({ resource, namedBy })));
    const { relations: watched } = controllerManifestOf(documents({ watches }));
    expect(new Set(watched.map(({ id }) => id)).size).toBe(7);
  });
});

describe("X2 RBAC is what the code needs, and no more", () => {
  it("a controller of its own objects alone reads them and writes their status", () => {
    expect(controllerManifestOf(documents()).rbac).toEqual([
      { apiGroups: ["example.com"], resources: ["documents"], verbs: ["get"] },
      { apiGroups: ["example.com"], resources: ["documents/status"], verbs: ["patch"] },
    ]);
  });

  it("finalizers, children, references and declared access add their verbs, in the controller's namespaces", () => {
    const namespaces = ["a", "b"];
    expect(controllerManifestOf(full).rbac).toEqual([
      { apiGroups: ["example.com"], resources: ["documents"], verbs: ["get", "patch"] },
      { apiGroups: ["example.com"], resources: ["documents/status"], verbs: ["patch"], namespaces },
      { apiGroups: ["example.com"], resources: ["documents/finalizers"], verbs: ["update"], namespaces },
      { apiGroups: [""], resources: ["configmaps"], verbs: ["create", "delete", "get", "list", "patch"], namespaces },
      {
        apiGroups: ["apps"],
        resources: ["deployments"],
        verbs: ["create", "delete", "get", "list", "patch"],
        namespaces,
      },
      { apiGroups: [""], resources: ["secrets"], verbs: ["get"], namespaces },
      { apiGroups: [""], resources: ["namespaces"], verbs: ["get"] },
    ]);
  });

  it("what is declared by access holds in every namespace, beside what a relation allows in the controller's", () => {
    const access = [{ resource: ConfigMap, verbs: ["get"] as const }];
    const { rbac } = controllerManifestOf(documents({ namespaces: ["a"], owns: [{ resource: ConfigMap }], access }));
    expect(rbac.filter(({ resources }) => resources.includes("configmaps"))).toEqual([
      {
        apiGroups: [""],
        resources: ["configmaps"],
        verbs: ["create", "delete", "get", "list", "patch"],
        namespaces: ["a"],
      },
      { apiGroups: [""], resources: ["configmaps"], verbs: ["get"] },
    ]);
  });

  it("F1 an object in another namespace is read and released, and nothing else is done to it", () => {
    const { rbac } = controllerManifestOf(
      documents({ namespaces: ["a"], finalizer: FINALIZER, cleanup: () => undefined }),
    );
    expect(rbac).toEqual([
      { apiGroups: ["example.com"], resources: ["documents"], verbs: ["get", "patch"] },
      { apiGroups: ["example.com"], resources: ["documents/status"], verbs: ["patch"], namespaces: ["a"] },
    ]);
  });
});

describe("the manifest", () => {
  it("is one that the wire knows", async () => {
    const manifest = await manifestOf([full, documents({ name: "others" })]);
    expect(manifestSchema.parse(manifest)).toEqual(manifest);
    expect(manifest).toMatchObject({ apiVersion: API_VERSION, revision: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(manifest.controllers.map(({ name, fieldManager }) => [name, fieldManager])).toEqual([
      ["documents", "documents"],
      ["others", "others"],
    ]);
  });

  it("refuses two controllers of one name", async () => {
    await expect(manifestOf([full, documents()])).rejects.toThrow("controllers: two are named documents");
  });

  it("has another revision with another declaration or other code, and the same with the same", async () => {
    const revisionsOf = async (options: Parameters<typeof documents>[0]) => {
      const { revision, controllers } = await manifestOf([documents(options)]);
      return [revision, controllers[0]?.revision];
    };
    const revisions = await Promise.all([
      revisionsOf({}),
      revisionsOf({ concurrency: 2 }),
      revisionsOf({ owns: [{ resource: ConfigMap }] }),
      revisionsOf({ reconcile: () => ({ requeueAfterMs: 1 }) }),
      revisionsOf({ errorPolicy: () => awaitChange() }),
      revisionsOf({ finalizer: FINALIZER, cleanup: () => {} }),
      revisionsOf({ finalizer: FINALIZER, cleanup: () => undefined }),
    ]);
    expect(new Set(revisions.flat()).size).toBe(2 * revisions.length);
    expect(await revisionsOf({})).toEqual(revisions[0]);
  });

  it("R12 gives another revision to the controller that is another, and to the whole", async () => {
    const others = (concurrency: number) => documents({ name: "others", concurrency });
    const before = await manifestOf([documents(), others(1)]);
    const after = await manifestOf([documents(), others(2)]);
    expect(after.revision).not.toBe(before.revision);
    expect(revisionOf(after, "documents")).toBe(revisionOf(before, "documents"));
    expect(revisionOf(after, "others")).not.toBe(revisionOf(before, "others"));
    expect(revisionOf(after, "unheard-of")).toBeUndefined();
  });

  it("R12 where a controller has no revision of its own, the deployment's is its", async () => {
    const manifest = await manifestOf([documents()]);
    const { revision: _, ...older } = manifest.controllers[0]!;
    expect(revisionOf({ ...manifest, controllers: [older] }, "documents")).toBe(manifest.revision);
  });

  it("names the kind as the API server serves it", () => {
    expect(Document).toMatchObject(ref("example.com", "Document", "documents"));
  });
});
