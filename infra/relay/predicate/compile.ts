import type { EventType, Predicate } from "../../../functions/contract/index.ts";
import type { PredicateValue } from "./value.ts";

/** A predicate, with the values that it compares by their positions in the plan's. */
export type Compiled = {
  /** The state of the deletion, which passes whatever else is asked (R6). */
  deletion: number;
  test: Test;
};

export type Test =
  | { is: "version" }
  /** @param orVersion without a value, any change passes. */
  | { is: "value"; at: number; orVersion: boolean }
  | { is: "event"; of: readonly EventType[] }
  | { is: "any" | "all" | "first"; of: readonly Test[] };

/**
 * Compiles a predicate. Undefined for the two simple ones, of which `generation` has a value of its own in each record.
 * @param values the plan's, to which those that are not there yet are added.
 */
export function compilePredicate(predicate: Predicate, values: PredicateValue[]): Compiled | undefined {
  if (typeof predicate === "string") return undefined;
  return { deletion: positionOf(values, { of: "deletion" }), test: testOf(predicate, values) };
}

function testOf(predicate: Predicate, values: PredicateValue[]): Test {
  const value = (wanted: PredicateValue, orVersion = false): Test => ({
    is: "value",
    at: positionOf(values, wanted),
    orVersion,
  });
  const several = (is: "any" | "all" | "first", of: readonly Predicate[]): Test => ({
    is,
    of: of.map((each) => testOf(each, values)),
  });
  if (predicate === "resourceVersion") return { is: "version" };
  if (predicate === "generation") return value({ of: "generation" }, true);
  if ("labels" in predicate) return value({ of: "labels", keys: sorted(predicate.labels) });
  if ("annotations" in predicate) return value({ of: "annotations", keys: sorted(predicate.annotations) });
  if ("finalizers" in predicate) return value({ of: "finalizers" });
  if ("field" in predicate) return value({ of: "field", path: predicate.field });
  if ("events" in predicate) return { is: "event", of: predicate.events };
  if ("anyOf" in predicate) return several("any", predicate.anyOf);
  if ("allOf" in predicate) return several("all", predicate.allOf);
  return several("first", predicate.fallback);
}

function positionOf(values: PredicateValue[], wanted: PredicateValue): number {
  const text = JSON.stringify(wanted);
  const found = values.findIndex((value) => JSON.stringify(value) === text);
  return found < 0 ? values.push(wanted) - 1 : found;
}

function sorted(keys: "all" | readonly string[]): "all" | readonly string[] {
  return keys === "all" ? keys : [...keys].sort();
}
