import * as z from "zod";
import type { Check } from "./check-predicate.ts";
import { isFieldPath, isLabelValue, isQualifiedName, oneOf, optionsOf } from "./names.ts";
import type { Selection } from "./selection.ts";

const texts = z.record(z.string(), z.unknown(), 'must be an object of texts: { app: "web" }').optional();

const labels = {
  matchLabels: texts,
  matchExpressions: z
    .array(
      optionsOf("matchExpressions", {
        key: z.string("must be a label key"),
        operator: oneOf("In", "NotIn", "Exists", "DoesNotExist"),
        values: z.array(z.string("must be a text"), "must be a list of texts").optional(),
      }),
      "must be a list",
    )
    .optional(),
};

export const labelSelectorOption = optionsOf("namespaces", labels).optional();
export const selectorOption = optionsOf("selector", { ...labels, matchFields: texts }).optional();

/**
 * Refuses a selector that selects nothing in particular, or that the API server would not take.
 * @param check throws, naming the field.
 */
export function checkSelection(selector: Selection | undefined, field: string, check: Check): void {
  if (selector === undefined) return;
  const { matchLabels = {}, matchExpressions = [], matchFields = {} } = selector;
  const labels = Object.entries(matchLabels);
  const fields = Object.entries(matchFields);
  const checkKey = (key: string, at: string): void =>
    check(isQualifiedName(key), at, "is no label key: a name of at most 63 characters, with a domain before / or not");
  const checkValue = (value: unknown, at: string): void =>
    check(typeof value === "string" && isLabelValue(value), at, "is no label value of at most 63 characters");
  check(labels.length + matchExpressions.length + fields.length > 0, field, "must name at least 1 label or field");
  for (const [key, value] of labels) {
    const at = `${field}.matchLabels[${JSON.stringify(key)}]`;
    checkKey(key, at);
    checkValue(value, at);
  }
  for (const [i, { key, operator, values = [] }] of matchExpressions.entries()) {
    const at = `${field}.matchExpressions[${i}]`;
    checkKey(key, `${at}.key`);
    const wanted = operator.endsWith("In");
    check(values.length > 0 === wanted, `${at}.values`, `${wanted ? "are" : "are not"} for ${operator}`);
    for (const value of values) checkValue(value, `${at}.values`);
  }
  for (const [path, value] of fields) {
    const at = `${field}.matchFields[${JSON.stringify(path)}]`;
    check(isFieldPath(path), at, "is no field path like .metadata.name");
    check(typeof value === "string", at, "must be a text");
  }
}
