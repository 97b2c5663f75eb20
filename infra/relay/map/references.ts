/**
 * The reverse index of `namedBy`: which primaries name an object. Related objects are looked up by it, so it changes with
 * every change of a primary, and with nothing else.
 */
export interface References {
  /** A primary of this index named `before` and names `after`; undefined for none. Names are ids, see {@link idOf}. */
  move(index: string, primary: string, before: string | undefined, after: string | undefined): void;
  /** The ids of the primaries that name an object. */
  primaries(index: string, related: string): Iterable<string>;
}

export function createReferences(): References {
  const indexes = new Map<string, Map<string, Set<string>>>();
  return {
    move(index, primary, before, after) {
      if (before === after) return;
      const related = indexes.get(index) ?? new Map<string, Set<string>>();
      indexes.set(index, related);
      if (before !== undefined) {
        const primaries = related.get(before);
        primaries?.delete(primary);
        if (primaries?.size === 0) related.delete(before);
      }
      if (after !== undefined) {
        const primaries = related.get(after);
        if (primaries) primaries.add(primary);
        else related.set(after, new Set([primary]));
      }
    },
    primaries: (index, related) => indexes.get(index)?.get(related) ?? [],
  };
}

/** An object within its kind, as one text: `default/a`, and `/a` without a namespace. */
export function idOf(namespace: string | undefined, name: string): string {
  return `${namespace ?? ""}/${name}`;
}

/** The namespace and name that {@link idOf} made the text of. */
export function parseId(id: string): { namespace: string | undefined; name: string } {
  const slash = id.indexOf("/");
  return { namespace: slash === 0 ? undefined : id.slice(0, slash), name: id.slice(slash + 1) };
}
