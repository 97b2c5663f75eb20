import type { JsonObject } from "../json.ts";
import type { Registry } from "../kinds/registry.ts";
import { apiVersionOf, type ServedKind } from "../kinds/served-kind.ts";

const VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];

/** Answers what is served, below `/api` and `/apis`; undefined for any other path. */
export function discover(registry: Registry, path: string): JsonObject | undefined {
  const parts = path.split("/").filter(Boolean);
  const [root, ...rest] = parts;
  if (root === "api" && rest.length === 0) {
    const serverAddressByClientCIDRs = [{ clientCIDR: "0.0.0.0/0", serverAddress: "127.0.0.1" }];
    return { kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs };
  }
  if (root === "api" && rest.length === 1) return resourceList(registry, "", rest[0]!);
  if (root !== "apis") return undefined;
  const [group, version] = rest;
  if (group === undefined) {
    const groups = [...new Set(registry.all().map((kind) => kind.group))].filter(Boolean);
    return { kind: "APIGroupList", apiVersion: "v1", groups: groups.map((name) => groupOf(registry, name)) };
  }
  if (rest.length > 2) return undefined;
  if (version !== undefined) return resourceList(registry, group, version);
  const found = groupOf(registry, group);
  return found && { kind: "APIGroup", apiVersion: "v1", ...found };
}

function groupOf(registry: Registry, name: string): JsonObject | undefined {
  const kinds = registry.all().filter((kind) => kind.group === name);
  const versions = [...new Set(kinds.map((kind) => kind.version))]
    .sort(byPriority)
    .map((version) => ({ groupVersion: `${name}/${version}`, version }));
  return versions.length > 0 ? { name, versions, preferredVersion: versions[0] } : undefined;
}

/** Stable versions first, the highest of them first, then beta, then alpha. */
function byPriority(a: string, b: string): number {
  const parse = (version: string) => {
    const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
    return match
      ? [["alpha", "beta", undefined].indexOf(match[2]), Number(match[1]), Number(match[3] ?? 0)]
      : [-1, 0, 0];
  };
  const [x, y] = [parse(a), parse(b)];
  const index = x.findIndex((part, i) => part !== y[i]);
  return index < 0 ? (a < b ? -1 : 1) : y[index]! - x[index]!;
}

function resourceList(registry: Registry, group: string, version: string): JsonObject | undefined {
  const kinds = registry.all().filter((kind) => kind.group === group && kind.version === version);
  if (kinds.length === 0) return undefined;
  const resources = kinds.flatMap((kind) => [resource(kind), ...subresources(kind)]);
  return { kind: "APIResourceList", apiVersion: "v1", groupVersion: apiVersionOf({ group, version }), resources };
}

function resource(kind: ServedKind): JsonObject {
  return {
    name: kind.plural,
    singularName: kind.singular,
    namespaced: kind.namespaced,
    kind: kind.kind,
    verbs: kind.resource === "namespaces" ? VERBS.filter((verb) => verb !== "deletecollection") : VERBS,
    ...(kind.shortNames.length > 0 && { shortNames: kind.shortNames }),
    ...(kind.categories.length > 0 && { categories: kind.categories }),
  };
}

function subresources(kind: ServedKind): JsonObject[] {
  const verbs = ["get", "patch", "update"];
  const common = { singularName: "", namespaced: kind.namespaced };
  return [
    ...(kind.status ? [{ name: `${kind.plural}/status`, ...common, kind: kind.kind, verbs }] : []),
    ...(kind.scale
      ? [{ name: `${kind.plural}/scale`, ...common, group: "autoscaling", version: "v1", kind: "Scale", verbs }]
      : []),
  ];
}
