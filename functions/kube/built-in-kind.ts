import * as table from "./kinds-table.ts";
import type { Resource } from "./resource.ts";

/**
 * A kind of Kubernetes' own by what stands in its objects, in any stable version, or undefined. It holds the whole table:
 * code that knows its kinds imports them from `kinds.ts` instead.
 * @example builtInKind("apps/v1", "Deployment")?.plural // "deployments"
 */
export function builtInKind(apiVersion: string, kind: string): Resource | undefined {
  const kinds: readonly Resource[] = Object.values(table);
  return kinds.find((known) => known.apiVersion === apiVersion && known.kind === kind);
}
