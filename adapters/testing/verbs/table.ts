import { partialMetadata } from "../http/negotiation.ts";
import type { JsonObject } from "../json.ts";
import type { ServedKind } from "../kinds/served-kind.ts";
import type { StoredObject } from "../store/stored-object.ts";

const CRDS = "customresourcedefinitions.apiextensions.k8s.io";

/** What a table's rows hold beside their cells. */
export type Included = "Metadata" | "Object" | "None";

/** Objects as `kubectl get` asks for them: columns by the kind, cells, and each object's metadata. */
export function tableOf(
  objects: readonly StoredObject[],
  { columns, resource }: ServedKind,
  metadata: JsonObject,
  included: Included,
  now: number,
): JsonObject {
  const embedded = (object: StoredObject) => {
    if (included === "None") return { object: null };
    return { object: included === "Object" ? object : partialMetadata(object) };
  };
  return {
    kind: "Table",
    apiVersion: "meta.k8s.io/v1",
    metadata,
    columnDefinitions: columns.map(({ name, type, format = "", description = "", priority = 0 }) => ({
      name,
      type,
      format,
      description,
      priority,
    })),
    // The API server's table of CRDs has no rows at all where there are none.
    rows:
      objects.length === 0 && resource === CRDS
        ? null
        : objects.map((object) => ({ cells: columns.map((column) => column.value(object, now)), ...embedded(object) })),
  };
}
