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
  for (const [name, texts] of Object.entries({ matchLabels, matchFields }))
    check(texts?.constructor === Object, `${field}.${name}`, 'must be an object of texts: { app: "web" }');
  const labels = Object.entries(matchLabels);
  const fields = Object.entries(matchFields);
  const at = (map: string, key: string): string => `${field}.${map}[${JSON.stringify(key)}]`;
  const checkKey = (key: unknown, at: string): void =>
    check(
      isQualifiedName(String(key)),
      at,
      "is no label key: a name of at most 63 characters, with a domain before / or not",
    );
  const checkValue = (value: unknown, at: string): void =>
    check(typeof value === "string" && isLabelValue(value), at, "is no label value of at most 63 characters");
  check(labels.length + matchExpressions.length + fields.length > 0, field, "must name at least 1 label or field");
  for (const [key, value] of labels) {
    checkKey(key, at("matchLabels", key));
    checkValue(value, at("matchLabels", key));
  }
  for (const [i, { key, operator, values = [] }] of matchExpressions.entries()) {
    const where = `${field}.matchExpressions[${i}]`;
    checkKey(key, `${where}.key`);
    check(OPERATORS.includes(operator), `${where}.operator`, `must be one of ${OPERATORS.join(", ")}`);
    const counted = Array.isArray(values) && values.length > 0 === operator.endsWith("In");
    check(counted, `${where}.values`, "must be a list for In and NotIn, and left out for others");
    for (const value of values) checkValue(value, `${where}.values`);
  }
  for (const [path, value] of fields)
    check(
      isFieldPath(path) && typeof value === "string",
      at("matchFields", path),
      "must be a field path like .metadata.name with a text",
    );
}
