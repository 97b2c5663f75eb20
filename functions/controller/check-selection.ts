import * as z from "zod";
import type { Check } from "./check-predicate.ts";
import { isFieldPath, isLabelValue, isQualifiedName, optionsOf } from "./names.ts";
import type { Selection } from "./selection.ts";

const any = z.unknown().optional();
const labels = {
  matchLabels: any,
  matchExpressions: z
    .array(optionsOf("matchExpressions", { key: any, operator: any, values: any }), "must be a list")
    .optional(),
};

export const labelSelectorOption = optionsOf("namespaces", labels);
export const selectorOption = optionsOf("selector", { ...labels, matchFields: any }).optional();

const OPERATORS: unknown[] = ["In", "NotIn", "Exists", "DoesNotExist"];

/** Refuses a selector that selects nothing in particular, or that the API server would not take. Code comes untyped too. */
export function checkSelection(selector: Selection | undefined, field: string, check: Check): void {
  if (selector === undefined) return;
  const { matchLabels = {}, matchExpressions = [], matchFields = {} } = selector;
  const entriesOf = (name: string, texts: object): [at: string, key: string, value: unknown][] => {
    const at = `${field}.${name}`;
    check(texts?.constructor === Object, at, 'must be an object of texts: { app: "web" }');
    return Object.entries(texts).map(([key, value]) => [`${at}[${JSON.stringify(key)}]`, key, value]);
  };
  const labels = entriesOf("matchLabels", matchLabels);
  const fields = entriesOf("matchFields", matchFields);
  check(labels.length + matchExpressions.length + fields.length > 0, field, "must name at least 1 label or field");
  for (const [at, key, value] of labels) {
    checkKey(key, at);
    checkValue(value, at);
  }
  for (const [at, path, value] of fields)
    check(isFieldPath(path) && typeof value === "string", at, "must be a field path like .metadata.name with a text");
  for (const [i, { key, operator, values = [] }] of matchExpressions.entries()) {
    const at = `${field}.matchExpressions[${i}].`;
    checkKey(key, `${at}key`);
    check(OPERATORS.includes(operator), `${at}operator`, `must be one of ${OPERATORS.join(", ")}`);
    const counted = Array.isArray(values) && values.length > 0 === operator.endsWith("In");
    check(counted, `${at}values`, "must be a list for In and NotIn, and left out for others");
    for (const value of values) checkValue(value, `${at}values`);
  }

  function checkKey(key: unknown, at: string): void {
    check(
      typeof key === "string" && isQualifiedName(key),
      at,
      "is no label key: a name of at most 63 characters, with a domain before / or not",
    );
  }

  function checkValue(value: unknown, at: string): void {
    check(typeof value === "string" && isLabelValue(value), at, "is no label value of at most 63 characters");
  }
}
