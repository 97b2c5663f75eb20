import { partialMetadata, type Shape } from "../http/negotiation.ts";
import type { JsonObject } from "../json.ts";
import { apiVersionOf, type ServedKind } from "../kinds/served-kind.ts";
import type { StoredObject } from "../store/stored-object.ts";
import { tableOf } from "./table.ts";

/** An object as the version that was asked for. */
export function inVersion(object: StoredObject, kind: ServedKind): StoredObject {
  const apiVersion = apiVersionOf(kind);
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}

/** One object in the shape that was asked for. */
export function presentObject(object: StoredObject, kind: ServedKind, shape: Shape, now: number): JsonObject {
  const converted = inVersion(object, kind);
  if (shape === "metadata") return partialMetadata(converted);
  if (shape === "table") return tableOf([converted], kind, { resourceVersion: object.metadata.resourceVersion }, now);
  return converted;
}

/** A list in the shape that was asked for. */
export function presentList(
  objects: readonly StoredObject[],
  kind: ServedKind,
  shape: Shape,
  metadata: JsonObject,
  now: number,
): JsonObject {
  const items = objects.map((object) => inVersion(object, kind));
  if (shape === "table") return tableOf(items, kind, metadata, now);
  if (shape === "metadata") {
    return {
      kind: "PartialObjectMetadataList",
      apiVersion: "meta.k8s.io/v1",
      metadata,
      items: items.map(partialMetadata),
    };
  }
  const bare = kind.custom ? items : items.map(({ apiVersion: _, kind: __, ...rest }) => rest);
  return { kind: kind.listKind, apiVersion: apiVersionOf(kind), metadata, items: bare };
}
