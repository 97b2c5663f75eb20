/**
 * Writes `functions/kube/kinds-table.ts` from what a real API server serves:
 * `node --conditions=sluice-source test/cluster/generate-kinds.ts`
 */
import { writeFileSync } from "node:fs";
import { buildControlPlane } from "./control-plane/build.ts";
import { startControlPlane } from "./control-plane/start.ts";
import type { KubeApi } from "./support/kube-api.ts";

export const tablePath = `${import.meta.dirname}/../../functions/kube/kinds-table.ts`;

type Kind = { group: string; version: string; kind: string; plural: string; namespaced: boolean; preferred: boolean };

/** A CRD's group has a dot, and may not be of k8s.io. */
const builtInGroup = /^[a-z]+$|\.k8s\.io$/;

/** Every built-in kind in a stable version (v1, v2), without subresources. */
export async function discoverKinds(api: KubeApi): Promise<Kind[]> {
  const kinds = await kindsOf(api, "/api/v1", { group: "", version: "v1", preferred: true });
  for (const { name: group, versions, preferredVersion } of (await api.get("/apis")).groups) {
    if (!builtInGroup.test(group)) continue;
    for (const { version } of versions.filter((served: { version: string }) => /^v\d+$/.test(served.version))) {
      const at = { group, version, preferred: preferredVersion.version === version };
      kinds.push(...(await kindsOf(api, `/apis/${group}/${version}`, at)));
    }
  }
  return kinds;
}

async function kindsOf(
  api: KubeApi,
  path: string,
  at: { group: string; version: string; preferred: boolean },
): Promise<Kind[]> {
  const { resources } = await api.get(path);
  return resources
    .filter(({ name }: { name: string }) => !name.includes("/"))
    .map(({ name, kind, namespaced }: { name: string; kind: string; namespaced: boolean }) => {
      return { ...at, kind, plural: name, namespaced };
    });
}

/** The table as TypeScript: a constant for each kind, so that a bundler keeps only those that are used. */
export function renderTable(kinds: readonly Kind[], release: string): string {
  const lines = kinds.map((kind) => {
    const { group, version, plural } = kind;
    const apiVersion = group === "" ? version : `${group}/${version}`;
    const scope = kind.namespaced ? "Namespaced" : "Cluster";
    return `export const ${constantOf(kind, kinds)} = { apiVersion: "${apiVersion}", group: "${group}", version: "${version}", kind: "${kind.kind}", plural: "${plural}", scope: "${scope}" } as const;`;
  });
  return `// biome-ignore-all format: one line a kind
// Written by test/cluster/generate-kinds.ts from the discovery of Kubernetes ${release}.
${lines.sort().join("\n")}
`;
}

/** The kind; of two with one name, an older version and the core group's say what they are. */
function constantOf({ group, version, kind, preferred }: Kind, kinds: readonly Kind[]): string {
  if (!preferred) return `${kind}${version.toUpperCase()}`;
  const shared = kinds.some((other) => other.kind === kind && other.group !== group);
  return shared && group === "" ? `Core${kind}` : kind;
}

export async function releaseOf(api: KubeApi): Promise<string> {
  const { major, minor } = await api.get("/version");
  return `${major}.${minor}`;
}

if (import.meta.main) {
  const plane = await startControlPlane({ bin: buildControlPlane() });
  try {
    writeFileSync(tablePath, renderTable(await discoverKinds(plane.api), await releaseOf(plane.api)));
  } finally {
    await plane.stop();
  }
}
