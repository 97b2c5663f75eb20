/**
 * Writes the schemas of the built-in kinds that the in-process API server serves, from a real one's OpenAPI.
 * Usage: KUBECONFIG=FILE node --conditions=sluice-source test/kube-api/generate-schemas.ts
 */
import { writeFileSync } from "node:fs";
import { realServer } from "./real-server.ts";

const ROOTS: Record<string, string[]> = {
  "api/v1": ["ConfigMap", "Secret", "Namespace", "ServiceAccount", "Event", "Service"].map(
    (kind) => `api.core.v1.${kind}`,
  ),
  "apis/apps/v1": ["api.apps.v1.Deployment", "api.autoscaling.v1.Scale"],
  "apis/coordination.k8s.io/v1": ["api.coordination.v1.Lease"],
  "apis/events.k8s.io/v1": ["api.events.v1.Event"],
  "apis/networking.k8s.io/v1": ["api.networking.v1.NetworkPolicy"],
  "apis/apiextensions.k8s.io/v1": ["apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition"],
};
const PREFIX = "#/components/schemas/io.k8s.";

const server = realServer(process.env.KUBECONFIG!);
const output: Record<string, unknown> = {};
for (const [group, roots] of Object.entries(ROOTS)) {
  const response = await server.fetch(`/openapi/v3/${group}`);
  const { components } = (await response.json()) as { components: { schemas: Record<string, unknown> } };
  const add = (name: string) => {
    if (name in output) return;
    const schema = trim(components.schemas[`io.k8s.${name}`]);
    output[name] = schema;
    for (const [, inner] of JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)"/g)) add(inner!);
  };
  for (const root of roots) add(root);
}
const lines = Object.entries(output).map(([name, schema]) => `  '${name} ${JSON.stringify(schema)}',`);
const head = `/**
 * The OpenAPI definitions of the built-in kinds: a name, a blank, the schema as JSON. Written by test/kube-api/generate-schemas.ts.
 * @module
 */
export const definitions: readonly string[] = [`;
const file = new URL("../../adapters/testing/schema/definitions.ts", import.meta.url);
writeFileSync(file, `${head}\n${lines.join("\n")}\n];\n`);

/** Without descriptions, and with a lone `allOf` reference as the reference itself. */
function trim(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(trim);
  if (typeof value !== "object" || value === null) return value;
  const result: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    if ((key === "description" && typeof inner === "string") || key === "x-kubernetes-group-version-kind") continue;
    if (key === "x-kubernetes-patch-merge-key" || key === "x-kubernetes-patch-strategy") continue;
    if (key === "$ref" && typeof inner === "string") result.$ref = inner.slice(PREFIX.length);
    else if (key === "allOf" && Array.isArray(inner) && inner.length === 1) Object.assign(result, trim(inner[0]));
    else result[key] = trim(inner);
  }
  return result;
}
