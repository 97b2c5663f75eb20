import type { Resource } from "./resource.ts";

/** The kinds that a controller declared, found by what stands in an object. */
export interface ResourceRegistry {
  /** @throws TypeError naming the `access` line to add, for a kind that was not declared. */
  of(object: { apiVersion: string; kind: string }, verb: string): Resource;
}

/**
 * @example resourceRegistry([Document, ConfigMap]).of({ apiVersion: "v1", kind: "ConfigMap" }, "patch")
 */
export function resourceRegistry(resources: Iterable<Resource>): ResourceRegistry {
  const known = new Map([...resources].map((resource) => [idOf(resource), resource]));
  return {
    of(object, verb) {
      const resource = known.get(idOf(object));
      if (resource) return resource;
      throw new TypeError(
        `${object.kind} (${object.apiVersion}) is not declared by this controller: ` +
          `add { resource: ${object.kind}, verbs: ["${verb}"] } to its access`,
      );
    },
  };
}

function idOf({ apiVersion, kind }: { apiVersion: string; kind: string }): string {
  return `${apiVersion}/${kind}`;
}
