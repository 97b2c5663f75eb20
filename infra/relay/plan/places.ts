import { idOf, parseId } from "../map/references.ts";
import type { Places } from "./plan.ts";

/** Namespaces of a selector that get a watch each; above, one watch of all namespaces serves them. */
export const MAX_WATCHED_NAMESPACES = 20;

/** What the watch of a selector's namespaces holds. */
export type NamespaceStore = { has(id: string): boolean; entries(): Iterable<[id: string, record: unknown]> };

/** Which namespaces the selectors of the manifest hold, as their own watches tell. */
export interface SelectedNamespaces {
  places: Places;
  /** Whether a namespace is one of the selector's just now. */
  holds(selector: string, namespace: string | undefined): boolean;
}

/** @param storeOf the store of a selector; undefined before its first list is complete. */
export function selectNamespaces(storeOf: (selector: string) => NamespaceStore | undefined): SelectedNamespaces {
  /** Selectors with one watch for all. They keep it, so that a number about the limit does not list all over again. */
  const wide = new Set<string>();
  return {
    places(selector) {
      const store = storeOf(selector);
      if (!store) return undefined;
      const names = [...store.entries()].map(([id]) => parseId(id).name);
      if (names.length > MAX_WATCHED_NAMESPACES) wide.add(selector);
      return wide.has(selector) ? "all" : names.sort();
    },
    holds: (selector, namespace) => storeOf(selector)?.has(idOf(undefined, namespace ?? "")) ?? false,
  };
}
