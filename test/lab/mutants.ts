/** One line of the product, changed. `find` stands in its file exactly once. */
export type Mutant = {
  /** The claim of the lab that it makes false. */
  claim: string;
  name: string;
  /** Below the root. */
  file: string;
  find: string;
  replace: string;
};

export const MUTANTS: readonly Mutant[] = [
  {
    ...{ claim: "a", name: "a requeue counts as a failure", file: "adapters/scheduler/core.ts" },
    find: "const calm = { lease: null, refused: null, attempt: 0,",
    replace: "const calm = { lease: null, refused: null, attempt: 1,",
  },
  {
    ...{ claim: "b", name: "an apply says for which version of its owner it was", file: "functions/kube/apply.ts" },
    find: "return { ...draft, metadata: { ...draft.metadata, ownerReferences: [...others, reference] } };",
    replace:
      "return { ...draft, metadata: { ...draft.metadata, annotations: { version: owner.metadata.resourceVersion }, ownerReferences: [...others, reference] } };",
  },
  {
    ...{ claim: "c", name: "another's edit passes for an own write", file: "infra/relay/predicate/own-writes.ts" },
    find: 'return after.others === (before?.others ?? NOBODY) && after.time > (before?.time ?? "");',
    replace: 'return after.time >= (before?.time ?? "");',
  },
  {
    ...{ claim: "d", name: "an object wakes nobody who names it", file: "infra/relay/map/map.ts" },
    find: 'if (mapping.by === "namedBy") return',
    replace: 'if (mapping.by === "namedBy") return [] ??',
  },
  {
    ...{ claim: "e", name: "a failed cleanup counts as finished", file: "functions/controller/lifecycle.ts" },
    find: "const again = await controller.cleanup?.(seen.given, context());",
    replace:
      "const again = await (async () => controller.cleanup?.(seen.given as T, context()))().catch(() => undefined);",
  },
  {
    ...{ claim: "f", name: "every new version passes the predicate", file: "infra/relay/predicate/predicate.ts" },
    find: 'return predicate === "resourceVersion" || !before || !after || before.generation !== after.generation;',
    replace: "return true;",
  },
  {
    ...{ claim: "g", name: "only what runs is stored", file: "adapters/scheduler/sqlite-store.ts" },
    find: "this.#unsaved.set(key, putOf(",
    replace: "if (entry.lease) this.#unsaved.set(key, putOf(",
  },
];
