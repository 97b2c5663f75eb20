import type { ApiRequest } from "../http/request.ts";
import { methodNotAllowed } from "../http/status-error.ts";
import type { ServedKind } from "../kinds/served-kind.ts";
import { removeObject } from "./delete.ts";
import { deleteOptions } from "./delete-options.ts";
import { type Listed, list } from "./read.ts";
import type { World } from "./world.ts";

/** Deletes what a list with the same query answers. Answers it as it was. */
export function removeCollection(world: World, kind: ServedKind, request: ApiRequest): Listed {
  if (kind.resource === "namespaces") throw methodNotAllowed();
  if (kind.namespaced && request.namespace === undefined) throw methodNotAllowed();
  const options = deleteOptions(request);
  const listed = list(world, kind, request);
  for (const { metadata } of listed.objects) {
    const live = world.store.get(kind.resource, metadata.namespace, metadata.name);
    if (live) removeObject(world, kind, live, options);
  }
  return listed;
}
