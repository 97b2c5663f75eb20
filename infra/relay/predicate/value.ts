import { valueAt } from "../../../functions/kube/field.ts";
import type { KubeObject } from "../../../functions/kube/resource.ts";
import { hashOf } from "./hash.ts";

/** A part of an object that predicates compare. */
export type PredicateValue =
  | { of: "generation" | "finalizers" | "deletion" }
  | { of: "labels" | "annotations"; keys: "all" | readonly string[] }
  | { of: "field"; path: string };

/** Of an object that has no such part. */
export const NO_VALUE = 0;

/** The value as a number, by which it is kept (R3): equal where the part is. */
export function predicateValue(value: PredicateValue, object: KubeObject): number {
  const { generation, labels, annotations, finalizers, deletionTimestamp } = object.metadata;
  switch (value.of) {
    case "generation":
      return generation ?? NO_VALUE;
    case "finalizers":
      return finalizers?.length ? hashed(finalizers) : NO_VALUE;
    case "deletion":
      return deletionTimestamp === undefined ? NO_VALUE : hashed(finalizers ?? []);
    case "labels":
      return hashOfEntries(labels, value.keys);
    case "annotations":
      return hashOfEntries(annotations, value.keys);
    case "field": {
      const found = valueAt(object, value.path);
      return found === undefined || found === null ? NO_VALUE : hashed(found);
    }
  }
}

function hashOfEntries(entries: Record<string, string> | undefined, keys: "all" | readonly string[]): number {
  const wanted = Object.entries(entries ?? {}).filter(([key]) => keys === "all" || keys.includes(key));
  // A map has no order that means anything.
  return wanted.length === 0 ? NO_VALUE : hashed(wanted.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function hashed(value: unknown): number {
  return 1 + hashOf(JSON.stringify(value));
}
