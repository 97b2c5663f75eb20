import type { ApiRequest } from "../http/request.ts";
import { methodNotAllowed } from "../http/status-error.ts";
import type { ServedKind } from "../kinds/served-kind.ts";
import type { StoredObject } from "../store/stored-object.ts";
import { removeObject } from "./delete.ts";
import { deleteOptions } from "./delete-options.ts";
import { matcherOf } from "./read.ts";
import type { World } from "./world.ts";

/** Deletes all that match. Answers them as they were. */
export function removeCollection(world: World, kind: ServedKind, request: ApiRequest): StoredObject[] {
  if (kind.resource === "namespaces") throw methodNotAllowed();
  if (kind.namespaced && request.namespace === undefined) throw methodNotAllowed();
  const options = deleteOptions(request);
  const matches = matcherOf(request, kind);
  const found = world.store.list(kind.resource, request.namespace).filter(matches);
  return found.map((object) => {
    removeObject(world, kind, object, options);
    return object;
  });
}
