import type { ObjectMeta } from "../../../functions/kube/resource.ts";
import type { ServedKind } from "../kinds/served-kind.ts";
import type { StoredObject } from "../store/stored-object.ts";

/** The next version with what only the API server sets, and with what this endpoint does not write, as it was. */
export function settle(
  kind: ServedKind,
  live: StoredObject,
  next: StoredObject,
  subresource: string | undefined,
): StoredObject {
  const metadata = metadataOf(live.metadata, next.metadata);
  if (subresource === "status")
    return kind.custom ? customStatus(live, next) : builtInStatus(kind, live, next, metadata);
  if (!kind.status) return { ...next, metadata };
  const { status: _, ...rest } = next;
  return { ...rest, metadata, ...(live.status !== undefined && { status: live.status }) } as StoredObject;
}

function metadataOf(live: ObjectMeta, next: ObjectMeta): ObjectMeta {
  const metadata: ObjectMeta = { ...next, uid: live.uid, resourceVersion: live.resourceVersion };
  for (const field of [
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "generation",
    "generateName",
  ] as const) {
    if (live[field] === undefined) delete metadata[field];
    else Object.assign(metadata, { [field]: live[field] });
  }
  delete (metadata as { selfLink?: string }).selfLink;
  return metadata;
}

/** Of a custom resource `/status` writes the status and nothing else. */
function customStatus(live: StoredObject, next: StoredObject): StoredObject {
  const { managedFields: _, ...own } = live.metadata;
  const { managedFields } = next.metadata;
  const { status: __, ...rest } = live;
  return {
    ...rest,
    kind: next.kind,
    metadata: { ...own, ...(managedFields && { managedFields }) },
    ...(next.status !== undefined && { status: next.status }),
  } as StoredObject;
}

/** Of a built-in kind it writes most of the metadata too, as the API server does. */
function builtInStatus(kind: ServedKind, live: StoredObject, next: StoredObject, metadata: ObjectMeta): StoredObject {
  const kept: ObjectMeta = { ...metadata };
  for (const field of kind.keptByStatus) {
    if (live.metadata[field] === undefined) delete kept[field];
    else Object.assign(kept, { [field]: live.metadata[field] });
  }
  return { ...live, metadata: kept, status: next.status };
}
