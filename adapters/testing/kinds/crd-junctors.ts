import type { StatusCause } from "../http/status-error.ts";
import { equal } from "../json.ts";
import { forbiddenValue } from "../schema/causes.ts";
import type { Schema } from "../schema/schema.ts";

/** What says what a value is, and so may not depend on which schema of several fits: `must be … to be structural`. */
const STRUCTURAL: Record<string, string> = {
  type: "empty",
  title: "empty",
  description: "empty",
  default: "undefined",
  additionalProperties: "undefined",
  nullable: "false",
  "x-kubernetes-preserve-unknown-fields": "undefined",
  "x-kubernetes-int-or-string": "false",
  "x-kubernetes-list-type": "undefined",
  "x-kubernetes-map-type": "undefined",
};
/** How an integer or a string is written without the extension: allowed beside it. */
const INT_OR_STRING = [{ type: "integer" }, { type: "string" }];

/** What the schemas of `allOf`, `anyOf`, `oneOf` and `not` say that only the schema around them may. */
export function junctorCauses(schema: Schema, path: string): StatusCause[] {
  const either = schema["x-kubernetes-int-or-string"] && equal(schema.anyOf, INT_OR_STRING);
  return [
    ...each(schema.allOf, `${path}.allOf`, schema["x-kubernetes-int-or-string"]),
    ...(either ? [] : each(schema.anyOf, `${path}.anyOf`)),
    ...each(schema.oneOf, `${path}.oneOf`),
    ...(schema.not ? partCauses(schema.not, `${path}.not`) : []),
  ];
}

function each(schemas: readonly Schema[] = [], path: string, intOrString = false): StatusCause[] {
  return schemas.flatMap((schema, index) =>
    intOrString && equal(schema, { anyOf: INT_OR_STRING }) ? [] : partCauses(schema, `${path}[${index}]`),
  );
}

function partCauses(schema: Schema, path: string): StatusCause[] {
  const given = (field: string) => (schema as Record<string, unknown>)[field];
  return [
    ...Object.entries(STRUCTURAL)
      .filter(([field]) => given(field) !== undefined && given(field) !== false && given(field) !== "")
      .map(([field, what]) => forbiddenValue(`${path}.${field}`, `must be ${what} to be structural`)),
    ...Object.entries(schema.properties ?? {}).flatMap(([field, inner]) =>
      partCauses(inner, `${path}.properties[${field}]`),
    ),
    ...(schema.items ? partCauses(schema.items, `${path}.items`) : []),
    ...junctorCauses(schema, path),
  ];
}
