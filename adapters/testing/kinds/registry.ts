import { builtInKinds } from "./built-in.ts";
import { apiVersionOf, type ServedKind } from "./served-kind.ts";

/** The kinds that are served now: the built-in ones, and those of the CRDs. */
export class Registry {
  readonly #kinds = new Map<string, ServedKind>();

  constructor() {
    for (const kind of builtInKinds) this.add(kind);
  }

  add(kind: ServedKind): void {
    this.#kinds.set(`${kind.group}/${kind.version}/${kind.plural}`, kind);
  }

  /** Takes away all versions of a custom resource. */
  removeResource(resource: string): void {
    for (const [key, kind] of this.#kinds) if (kind.resource === resource && kind.custom) this.#kinds.delete(key);
  }

  find(group: string, version: string, plural: string): ServedKind | undefined {
    return this.#kinds.get(`${group}/${version}/${plural}`);
  }

  /** By version and kind, as owner references name it. */
  findKind(apiVersion: string, kind: string): ServedKind | undefined {
    return this.all().find((served) => served.kind === kind && apiVersionOf(served) === apiVersion);
  }

  all(): ServedKind[] {
    return [...this.#kinds.values()];
  }

  /** Whether the group's version is one of the API's own. */
  hasBuiltInGroup(group: string, version: string): boolean {
    return builtInKinds.some((kind) => kind.group === group && kind.version === version);
  }
}
