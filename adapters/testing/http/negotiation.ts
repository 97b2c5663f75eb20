import type { JsonObject } from "../json.ts";
import { StatusError } from "./status-error.ts";

/** In which shape an object or a list is answered: as it is, or as another kind. */
export type Shape = { as?: "PartialObjectMetadata" | "PartialObjectMetadataList" | "Table" };

const SHAPES = ["PartialObjectMetadata", "PartialObjectMetadataList", "Table"];
const TYPES = "application/json, application/yaml, application/vnd.kubernetes.protobuf";

/**
 * The first shape of the Accept header that this server can answer with.
 * @throws StatusError 406 where there is none.
 */
export function negotiate(accept: string | null, isCustom: boolean): Shape {
  const ranges = (accept || "*/*").split(",").map((range) => range.split(";").map((part) => part.trim()));
  const known = ranges.filter(([type]) => ["application/json", "application/*", "*/*"].includes(type!));
  for (const [, ...pairs] of known) {
    const { as, g, v } = Object.fromEntries(pairs.map((pair) => pair.split("=", 2))) as Record<string, string>;
    if (as === undefined) return {};
    if (g === "meta.k8s.io" && v === "v1" && SHAPES.includes(as)) return { as } as Shape;
  }
  if (known.length === 0 && !isCustom) {
    throw new StatusError(406, "NotAcceptable", `406: Not Acceptable\n\nAvailable representations: ${TYPES}`, {});
  }
  throw new StatusError(406, "NotAcceptable", `only the following media types are accepted: ${TYPES}`);
}

/** An object's metadata alone. */
export function partialMetadata(object: { metadata?: unknown }): JsonObject {
  return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: object.metadata };
}
