import { partialMetadata } from "../http/negotiation.ts";
import type { JsonObject } from "../json.ts";
import type { ServedKind } from "../kinds/served-kind.ts";
import type { StoredObject } from "../store/stored-object.ts";

/** Objects as `kubectl get` asks for them: columns by the kind, cells, and each object's metadata. */
export function tableOf(
  objects: readonly StoredObject[],
  kind: ServedKind,
  metadata: JsonObject,
  now: number,
): JsonObject {
  return {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata,
    columnDefinitions: kind.columns.map(({ name, type, format = "", priority = 0 }) => ({
      name,
      type,
      format,
      description: "",
      priority,
    })),
    rows: objects.map((object) => ({
      cells: kind.columns.map((column) => column.value(object, now)),
      object: partialMetadata(object),
    })),
  };
}
