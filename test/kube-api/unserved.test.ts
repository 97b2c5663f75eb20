import { describe, expect, it } from "vitest";
import { unserved } from "../../adapters/testing/http/unserved.ts";
import { createApiServer } from "../../adapters/testing/index.ts";

const { transport } = createApiServer();

function pathOf(entry: string): string {
  const [apiVersion, resource] = entry.split(" ") as [string, string];
  const [plural, subresource] = resource.split("/");
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return subresource ? `${root}/${plural}/name/${subresource}` : `${root}/${plural}`;
}

describe("what the real API server has and this one leaves out", () => {
  it.each(unserved)("%s is a 501 that names it", async (entry) => {
    const response = await transport.fetch(pathOf(entry));
    expect(response.status).toBe(501);
    expect(await response.json()).toMatchObject({
      kind: "Status",
      reason: "NotImplemented",
      message: `the in-process API server does not serve ${entry}`,
    });
  });

  it.each([
    ["/openapi/v3", "/openapi/v3"],
    ["/openapi/v3/api/v1", "/openapi/v3"],
    ["/metrics", "/metrics"],
    ["/apis/batch", "the discovery of batch"],
    ["/apis/batch/v1", "the discovery of batch/v1"],
  ])("%s is a 501 that names it", async (path, named) => {
    const response = await transport.fetch(path);
    expect(response.status).toBe(501);
    expect(await response.json()).toMatchObject({ message: `the in-process API server does not serve ${named}` });
  });

  const crd = (version: object, spec: object = {}) => ({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "things", kind: "Thing" },
      versions: [
        { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } }, ...version },
      ],
      ...spec,
    },
  });

  it.each([
    [
      "validation rules in CEL",
      crd({ schema: { openAPIV3Schema: { type: "object", "x-kubernetes-validations": [{ rule: "true" }] } } }),
      "x-kubernetes-validations",
    ],
    [
      "an object within the object",
      crd({
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { f: { type: "object", "x-kubernetes-embedded-resource": true } },
          },
        },
      }),
      "x-kubernetes-embedded-resource",
    ],
    [
      "a pattern in Go's own syntax",
      crd({ schema: { openAPIV3Schema: { type: "object", properties: { f: { type: "string", pattern: "(?U)a" } } } } }),
      "the pattern (?U)a",
    ],
    ["a conversion webhook", crd({}, { conversion: { strategy: "Webhook" } }), "conversion webhook"],
  ])("a CRD with %s is a 501", async (_, body, named) => {
    const response = await transport.fetch("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(501);
    expect(await response.text()).toContain(named);
  });

  it("an apply on a scale is a 501", async () => {
    const response = await transport.fetch("/apis/apps/v1/namespaces/default/deployments/a/scale?fieldManager=m", {
      method: "PATCH",
      headers: { "content-type": "application/apply-patch+yaml" },
      body: "{}",
    });
    expect(response.status).toBe(501);
    expect(await response.text()).toContain("apply on deployments/scale");
  });

  it("a strategic merge patch is a 415, of built-in kinds too", async () => {
    const response = await transport.fetch("/api/v1/namespaces/default", {
      method: "PATCH",
      headers: { "content-type": "application/strategic-merge-patch+json" },
      body: "{}",
    });
    expect(response.status).toBe(415);
  });

  it("what neither has is a 404", async () => {
    expect((await transport.fetch("/api/v1/things")).status).toBe(404);
    expect((await transport.fetch("/apis/example.com/v1/things")).status).toBe(404);
    expect((await transport.fetch("/apis/example.com/v1")).status).toBe(404);
    expect((await transport.fetch("/metricss")).status).toBe(404);
  });
});
