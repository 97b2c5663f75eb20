import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { crdOf } from "../../functions/kube/crd.ts";
import { customResource } from "../../functions/kube/custom-resource.ts";
import { constructs } from "../functions/custom-resource/constructs.ts";
import { applyCrd, sharedCluster } from "./support/cluster.ts";
import { type KubeObject, KubeStatusError } from "./support/kube-api.ts";

const fields = Object.fromEntries(constructs.map(({ name, zod }) => [name, zod.optional()]));

const Everything = customResource({
  group: "custom-resource.sluice.test",
  version: "v1",
  kind: "Everything",
  plural: "everythings",
  scope: "Namespaced",
  spec: z.object(fields).describe("One field for each construct"),
  status: z.object({ phase: z.string(), observedGeneration: z.int() }).partial(),
  shortNames: ["every"],
  categories: ["all"],
  printColumns: [
    { name: "Phase", type: "string", jsonPath: ".status.phase", description: "Where it is" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp", priority: 1 },
  ],
});

const crdPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/everythings.custom-resource.sluice.test";
const objectsPath = "/apis/custom-resource.sluice.test/v1/namespaces/default/everythings";

describe("the API server", () => {
  const { api } = sharedCluster();
  let stored: KubeObject;

  beforeAll(async () => {
    await applyCrd(api, crdOf(Everything));
    stored = await api.get(crdPath);
  });

  afterAll(async () => {
    await api.delete(crdPath);
    await api.close();
  });

  /** Asks for the object to be stored, which is checked and given its defaults, but not written. */
  const create = (spec: object) =>
    api.request("POST", `${objectsPath}?dryRun=All&fieldManager=test`, {
      apiVersion: Everything.apiVersion,
      kind: Everything.kind,
      metadata: { name: "it" },
      spec,
    });

  test("gives the whole CustomResourceDefinition back unchanged", () => {
    expect(stored.spec).toEqual(crdOf(Everything).spec);
  });

  test("takes names at their limits", async () => {
    const label = "x".repeat(63);
    const crd = crdOf(
      customResource({
        group: `${"a.".repeat(94)}a`,
        version: label,
        kind: `K${"x".repeat(58)}`,
        plural: label,
        scope: "Cluster",
        spec: z.object({}),
        shortNames: [label],
        categories: [label],
      }),
    );
    expect(crd.metadata.name).toHaveLength(253);
    const stored = await api.request("POST", `${crdPath.slice(0, crdPath.lastIndexOf("/"))}?dryRun=All`, crd);
    expect(stored.spec).toEqual(crd.spec);
  });

  test("finds the schema structural, and the names its own", () => {
    expect(stored.status.conditions).toEqual([
      expect.objectContaining({ type: "NamesAccepted", status: "True" }),
      expect.objectContaining({ type: "Established", status: "True" }),
    ]);
  });

  test.each(constructs)(
    "takes and refuses what zod does: $name",
    async ({ name, takes, refuses = [], misfits = [] }) => {
      for (const value of [...takes, ...misfits])
        expect((await create({ [name]: value })).spec, JSON.stringify(value)).toHaveProperty(name);
      for (const value of refuses) {
        const refusal = await create({ [name]: value }).catch((error: unknown) => error);
        expect(refusal, JSON.stringify(value)).toBeInstanceOf(KubeStatusError);
        expect(refusal).toMatchObject({ status: 422, message: expect.stringContaining(`spec.${name}`) });
      }
    },
  );

  test("fills in the defaults that parse sets", async () => {
    const { metadata, ...object } = await create({});
    const filled = constructs.filter(({ crd }) => crd.default !== undefined);
    expect(object.spec).toEqual(Object.fromEntries(filled.map(({ name, zod }) => [name, zod.parse(undefined)])));
  });
});
