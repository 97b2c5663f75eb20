import type { EventType, Predicate } from "../../../functions/contract/index.ts";
import type { ObjectMeta } from "../../../functions/kube/resource.ts";
import type { Compiled, Test } from "./compile.ts";
import { NO_VALUE } from "./value.ts";

/** What predicates compare of an object. */
export type Compared = { generation: string; values: readonly number[] };

/**
 * A change between two versions of an object; `before` is absent where it was created, `after` where it was deleted. Both
 * are of one uid: what was recreated was deleted and created.
 */
export type Change = { before?: Compared | undefined; after?: Compared | undefined };

/**
 * What a watch event must change to pass the predicate `generation` (R6): the generation, or the state of the deletion.
 * Finalizers count only while the object is being deleted, when they are what the others wait for. A kind without a
 * generation changes with every version.
 */
export function generationValue(meta: ObjectMeta): string {
  const generation = meta.generation ? String(meta.generation) : `v${meta.resourceVersion}`;
  return meta.deletionTimestamp === undefined
    ? generation
    : `${generation} deleting ${(meta.finalizers ?? []).join(" ")}`;
}

/**
 * Whether a change passes (R6). The version has changed already, which is all that `resourceVersion` asks.
 * @param compiled what `compilePredicate` made of the predicate.
 */
export function passes(predicate: Predicate, compiled: Compiled | undefined, { before, after }: Change): boolean {
  if (!compiled) return predicate === "resourceVersion" || !before || !after || before.generation !== after.generation;
  if (before && after && before.values[compiled.deletion] !== after.values[compiled.deletion]) return true;
  return holds(compiled.test, { before, after });
}

function holds(test: Test, change: Change): boolean {
  const { before, after } = change;
  const event: EventType = !before ? "created" : after ? "updated" : "deleted";
  switch (test.is) {
    case "version":
      return true;
    case "value":
      if (!before || !after) return true;
      return before.values[test.at] !== after.values[test.at] || (test.orVersion && !hasValue(test, after));
    case "event":
      return test.of.includes(event);
    case "any":
      return test.of.some((each) => holds(each, change));
    case "all":
      return test.of.every((each) => holds(each, change));
    case "first": {
      const [was, is] = [before, after].map((state) => state && firstOf(test.of, state));
      // Another predicate has a value from now on, which cannot be compared with the one that had.
      if (was && is && was !== is) return true;
      return holds((is ?? was)!, change);
    }
  }
}

/** The first that has a value, the last where none has. */
function firstOf(tests: readonly Test[], state: Compared): Test {
  return tests.find((test) => hasValue(test, state)) ?? tests.at(-1)!;
}

function hasValue(test: Test, state: Compared): boolean {
  if (test.is === "value") return (state.values[test.at] ?? NO_VALUE) !== NO_VALUE;
  return test.is === "version" || test.is === "event" || test.of.some((each) => hasValue(each, state));
}
