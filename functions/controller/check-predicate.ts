import type { Predicate } from "../contract/index.ts";
import { isFieldPath } from "./names.ts";

/** Throws where a condition does not hold, naming the field. */
export type Check = (holds: boolean, field: string, message: string) => void;

const EVENTS: unknown[] = ["created", "updated", "deleted"];
const SIMPLE: unknown[] = ["generation", "resourceVersion"];
const LISTS = ["anyOf", "allOf", "fallback"];
const KINDS = ["labels", "annotations", "finalizers", "field", "events", ...LISTS];

/** Refuses a predicate that the relay could not read. Code comes untyped too. */
export function checkPredicate(predicate: Predicate | undefined, field: string, check: Check): void {
  if (predicate === undefined || SIMPLE.includes(predicate)) return;
  const [[kind = "", of] = [], ...more] = Object.entries((predicate ?? {}) as Record<string, unknown>);
  check(
    typeof predicate === "object" && KINDS.includes(kind) && more.length === 0,
    field,
    `must be "generation", "resourceVersion", or an object with one of ${KINDS.join(", ")}`,
  );
  const at = `${field}.${kind}`;
  const list = Array.isArray(of) ? (of as unknown[]) : [];
  if (kind === "field")
    check(typeof of === "string" && isFieldPath(of), at, "must be a field path like .spec.replicas");
  else if (LISTS.includes(kind)) {
    check(list.length > 0 && list.length <= 16, at, "must be a list of 1 to 16");
    for (const [i, each] of list.entries()) checkPredicate(each as Predicate, `${at}[${i}]`, check);
  } else if (kind === "events")
    check(list.length > 0 && list.every((each) => EVENTS.includes(each)), at, `must be a list of ${EVENTS.join(", ")}`);
  else {
    const keys = kind !== "finalizers" && list.length > 0 && list.every((each) => typeof each === "string");
    check(of === "all" || keys, at, `must be "all"${kind === "finalizers" ? "" : " or a list of keys"}`);
  }
}
