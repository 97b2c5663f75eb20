import { build, type Rollup } from "vite";
import { describe, expect, expectTypeOf, test } from "vitest";
import * as kinds from "../../functions/kinds.ts";
import { type ConfigMap, Deployment, Lease, Namespace } from "../../functions/kinds.ts";
import * as table from "../../functions/kube/kinds-table.ts";
import type { Draft, Infer, ObjectMeta, Resource } from "../../functions/kube/resource.ts";

describe("built-in kinds", () => {
  test("each is served where the API server's discovery says", () => {
    expect(Deployment).toEqual({
      apiVersion: "apps/v1",
      group: "apps",
      version: "v1",
      kind: "Deployment",
      plural: "deployments",
      scope: "Namespaced",
    });
    expect(Namespace).toMatchObject({ apiVersion: "v1", group: "", plural: "namespaces", scope: "Cluster" });
    expect(Lease).toMatchObject({ apiVersion: "coordination.k8s.io/v1", plural: "leases" });
  });

  test("the public ones are the table's, but for those that nobody can read or has types for", () => {
    const rows = new Map<string, unknown>(Object.entries(table));
    for (const [name, kind] of Object.entries(kinds)) expect(kind).toBe(rows.get(name));
    expect(Object.keys(table).filter((name) => !(name in kinds))).toEqual([
      "APIService",
      "Binding",
      "ComponentStatus",
      "CoreEvent",
      "DeviceClass",
      "HorizontalPodAutoscalerV1",
      "IPAddress",
      "LocalSubjectAccessReview",
      "MutatingAdmissionPolicy",
      "MutatingAdmissionPolicyBinding",
      "ResourceClaim",
      "ResourceClaimTemplate",
      "ResourceSlice",
      "SelfSubjectAccessReview",
      "SelfSubjectReview",
      "SelfSubjectRulesReview",
      "ServiceCIDR",
      "SubjectAccessReview",
      "TokenReview",
      "VolumeAttributesClass",
    ]);
  });

  test("have the types of what the API server returns", () => {
    expectTypeOf<Infer<typeof Deployment>>().toEqualTypeOf<Deployment>();
    expectTypeOf(Deployment).toExtend<Resource<Deployment>>();
    expectTypeOf(Deployment.apiVersion).toEqualTypeOf<"apps/v1">();
    expectTypeOf(Deployment.kind).toEqualTypeOf<"Deployment">();
    expectTypeOf<Deployment["apiVersion"]>().toEqualTypeOf<"apps/v1">();
    expectTypeOf<Deployment["metadata"]>().toEqualTypeOf<ObjectMeta>();
    expectTypeOf<Deployment["metadata"]["uid"]>().toEqualTypeOf<string>();
    expectTypeOf<NonNullable<Deployment["spec"]>["replicas"]>().toEqualTypeOf<number | undefined>();
    expectTypeOf<ConfigMap["data"]>().toEqualTypeOf<Record<string, string> | undefined>();
  });

  test("have the types of what one writes", () => {
    const draft: Draft<ConfigMap> = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { a: "b" } };
    expectTypeOf(draft).not.toHaveProperty("status");
    // @ts-expect-error: a ConfigMap's values are strings.
    const wrong: Draft<ConfigMap> = { ...draft, data: { a: 1 } };
    expect(wrong).toBeDefined();
  });

  test("a bundle carries the kinds that it uses, and no others", async () => {
    const kindsPath = `${import.meta.dirname}/../../functions/kinds.ts`;
    const code = await bundle(`import { ConfigMap, Secret } from "${kindsPath}"; console.log(ConfigMap, Secret);`);
    const plurals = Object.values(table).map(({ plural }) => `"${plural}"`);
    expect(plurals.filter((plural) => code.includes(plural))).toEqual(['"configmaps"', '"secrets"']);
    expect(code.length).toBeLessThan(1000);
  });
});

async function bundle(code: string): Promise<string> {
  const entry = "virtual:entry";
  const { output } = (await build({
    configFile: false,
    logLevel: "silent",
    plugins: [
      { name: "entry", resolveId: (id) => (id === entry ? id : null), load: (id) => (id === entry ? code : null) },
    ],
    build: { write: false, minify: false, modulePreload: false, rollupOptions: { input: entry } },
  })) as Rollup.RollupOutput;
  return output[0].code;
}
