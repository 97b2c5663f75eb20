import { idOf, parseId } from "../map/references.ts";
import { namespacesPlanId, type Places } from "./plan.ts";

/** Namespaces of a selector that get a watch each; above, one watch of all namespaces serves them. */
export const MAX_WATCHED_NAMESPACES = 20;

/** What the watch of a selector's namespaces holds. */
export type NamespaceStore = { has(id: string): boolean; entries(): Iterable<[id: string, record: unknown]> };

type EndedStore = Pick<NamespaceStore, "has"> & { plan: { id: string } };

/** Which namespaces the selectors of the manifest hold, as their own watches tell. */
export interface SelectedNamespaces {
  places: Places;
  /** Whether a namespace is one of the selector's just now. */
  holds(selector: string, namespace: string | undefined): boolean;
  /** What watches of namespaces held that have ended counts until that is called which is returned: it is to be released (F1). */
  keep(ended: readonly EndedStore[]): () => void;
}

/** @param storeOf the store of a selector; undefined before its first list is complete. */
export function selectNamespaces(storeOf: (selector: string) => NamespaceStore | undefined): SelectedNamespaces {
  /** Selectors with one watch for all. They keep it, so that a number about the limit does not list all over again. */
  const wide = new Set<string>();
  const kept = new Set<EndedStore>();
  return {
    places(selector) {
      const store = storeOf(selector);
      if (!store) return undefined;
      const names = [...store.entries()].map(([id]) => parseId(id).name);
      if (names.length > MAX_WATCHED_NAMESPACES) wide.add(selector);
      return wide.has(selector) ? "all" : names.sort();
    },
    holds(selector, namespace) {
      const id = idOf(undefined, namespace ?? "");
      const plan = namespacesPlanId(selector);
      if (storeOf(selector)?.has(id)) return true;
      return [...kept].some((store) => store.plan.id === plan && store.has(id));
    },
    keep(ended) {
      for (const store of ended) kept.add(store);
      return () => {
        for (const store of ended) kept.delete(store);
      };
    },
  };
}
