import { readPatch, unsupported } from "../http/body.ts";
import type { ApiRequest } from "../http/request.ts";
import { invalid, notFound, StatusError } from "../http/status-error.ts";
import type { JsonObject } from "../json.ts";
import type { ServedKind } from "../kinds/served-kind.ts";
import { invalidValue } from "../schema/causes.ts";
import type { StoredObject } from "../store/stored-object.ts";
import { apply } from "./apply.ts";
import type { Written } from "./create.ts";
import { decodeFields } from "./decode.ts";
import { jsonPatch, mergePatch } from "./patch-document.ts";
import { checkPlace, liveObject, replace, requireVersion } from "./update.ts";
import type { World } from "./world.ts";
import { trackUpdate, writerOf } from "./write.ts";
import { type WriteOptions, writeOptions } from "./write-options.ts";

export const JSON_PATCH = "application/json-patch+json";
export const MERGE_PATCH = "application/merge-patch+json";
export const APPLY = "application/apply-patch+yaml";
const STRATEGIC = "application/strategic-merge-patch+json";

export function patchType({ headers }: ApiRequest, kind: ServedKind): string {
  const type = (headers.get("content-type") ?? "").split(";")[0]!.trim();
  const types = [JSON_PATCH, MERGE_PATCH, APPLY];
  if (types.includes(type)) return type;
  if (kind.custom || type === STRATEGIC) throw unsupported(types);
  throw new StatusError(415, "UnsupportedMediaType", "415: Unsupported Media Type", {});
}

export function patch(world: World, kind: ServedKind, request: ApiRequest): Written {
  const type = patchType(request, kind);
  const options = writeOptions(request, "PatchOptions", type === APPLY);
  if (type === APPLY) return apply(world, kind, request, options);
  const live = liveObject(world, kind, request);
  const body = readPatch(request.body, type === JSON_PATCH ? "list" : "object");
  if (!live) throw notFound(kind, request.name!);
  const raw = type === JSON_PATCH ? jsonPatch(live, body as JsonObject[]) : (mergePatch(live, body) as JsonObject);
  const next = inPlace(decodePatched(raw, kind, options), request);
  checkPlace(next, request);
  requireVersion(kind, next);
  const writer = writerOf(world, kind, options.fieldManager, "Update", request.subresource);
  const tracked = trackUpdate(live, next, kind, writer);
  const object = replace(world, kind, live, tracked, request.subresource, options);
  return { status: 200, object, warnings: options.warnings };
}

/** What a patch takes the namespace from stays in it. */
function inPlace(object: StoredObject, { namespace }: ApiRequest): StoredObject {
  if (object.metadata.namespace || namespace === undefined) return object;
  return { ...object, metadata: { ...object.metadata, namespace } };
}

/** @throws StatusError 422 that quotes the patched object where that cannot be decoded. */
function decodePatched(raw: JsonObject, kind: ServedKind, options: WriteOptions): StoredObject {
  return decodeFields(raw, kind, options, (why) =>
    invalid({ group: "", kind: "" }, "", [invalidValue("patch", JSON.stringify(raw), why)]),
  );
}
