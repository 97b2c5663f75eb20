import { isObject, type JsonObject } from "../json.ts";
import { definitions } from "./definitions.ts";
import type { Schema } from "./schema.ts";

const sources = new Map(
  definitions.map((line) => {
    const blank = line.indexOf(" ");
    return [line.slice(0, blank), line.slice(blank + 1)];
  }),
);
const linked = new Map<string, Schema>();

/** A definition of the built-in kinds' OpenAPI, `api.core.v1.ConfigMap`, with its references resolved. */
export function builtInSchema(name: string): Schema {
  const known = linked.get(name);
  if (known) return known;
  const source = sources.get(name);
  if (source === undefined) throw new Error(`no schema ${name}`);
  const schema: Schema = {};
  linked.set(name, schema);
  return Object.assign(schema, link(JSON.parse(source)), { goName: name.split(".").at(-1) });
}

function link(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(link);
  if (!isObject(value)) return value;
  // A list of schemas is in the type and refused of every CRD: one schema is what it may be.
  if (typeof value.$ref === "string") return builtInSchema(value.$ref.replace(/PropsOrArray$/, "Props"));
  const result: JsonObject = {};
  for (const [key, inner] of Object.entries(value)) result[key] = link(inner);
  const open = value.type === "object" && !value.properties && !value.additionalProperties;
  if (open) result["x-kubernetes-preserve-unknown-fields"] = true;
  if (value.format === "int-or-string") result["x-kubernetes-int-or-string"] = true;
  return result;
}

/** The metadata of every object. */
export const metadataSchema: Schema = builtInSchema("apimachinery.pkg.apis.meta.v1.ObjectMeta");
