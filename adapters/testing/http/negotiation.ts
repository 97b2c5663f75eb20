import type { JsonObject } from "../json.ts";
import { StatusError } from "./status-error.ts";

/** In which shape an object or a list is answered. */
export type Shape = "object" | "metadata" | "table";

const KNOWN = ["application/json", "application/yaml", "application/vnd.kubernetes.protobuf", "application/cbor"];

/**
 * The first shape of the Accept header that this server can answer with.
 * @throws StatusError 406 where there is none.
 */
export function negotiate(accept: string | null): Shape {
  if (!accept) return "object";
  for (const range of accept.split(",")) {
    const [type, ...pairs] = range.split(";").map((part) => part.trim());
    if (type !== "application/json" && type !== "*/*" && type !== "application/*") continue;
    const parameters = Object.fromEntries(pairs.map((pair) => pair.split("=", 2))) as Record<
      string,
      string | undefined
    >;
    const as = parameters.as;
    if (as === undefined) return "object";
    if (parameters.g !== "meta.k8s.io" || parameters.v !== "v1") continue;
    if (as === "PartialObjectMetadata" || as === "PartialObjectMetadataList") return "metadata";
    if (as === "Table") return "table";
  }
  throw new StatusError(406, "NotAcceptable", `only the following media types are accepted: ${KNOWN.join(", ")}`, {});
}

/** An object's metadata alone. */
export function partialMetadata(object: { metadata?: unknown }): JsonObject {
  return { kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1", metadata: object.metadata };
}
