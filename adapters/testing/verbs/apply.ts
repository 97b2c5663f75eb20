import type { ObjectMeta } from "../../../functions/kube/resource.ts";
import { applyFields } from "../fields/apply.ts";
import { decodeManagers, type Manager, ownable } from "../fields/managed-fields.ts";
import { fieldsOf } from "../fields/own.ts";
import { typedError } from "../fields/typed.ts";
import { readApplied } from "../http/body.ts";
import type { ApiRequest } from "../http/request.ts";
import { badRequest, conflict, notFound, plainError } from "../http/status-error.ts";
import { isObject, type JsonObject } from "../json.ts";
import { apiVersionOf, type ServedKind } from "../kinds/served-kind.ts";
import type { StoredObject } from "../store/stored-object.ts";
import { insert, type Written } from "./create.ts";
import { decodeFields } from "./decode.ts";
import { checkPlace, liveObject, replace } from "./update.ts";
import type { World } from "./world.ts";
import { ignoredFields, withManagers, withoutManagers, writerOf } from "./write.ts";
import type { WriteOptions } from "./write-options.ts";

/** Server-side apply; makes the object where there is none. */
export function apply(world: World, kind: ServedKind, request: ApiRequest, options: WriteOptions): Written {
  const raw = readApplied(request.body);
  const live = liveObject(world, kind, request);
  if (!live && request.subresource) throw notFound(kind, request.name!);
  const given = checkApplied(raw, kind, live, request);
  const base = live
    ? withoutManagers(live)
    : ({ ...kind.zero, apiVersion: given.apiVersion, kind: given.kind } as StoredObject);
  const writer = writerOf(world, kind, options.fieldManager, "Apply", request.subresource);
  const { object, managers } = applyFields(base, given, managersOf(live, kind), writer, {
    schema: kind.schema,
    ignored: ignoredFields(kind, request.subresource),
    force: options.force,
  });
  const decoded = decodeFields(object, kind, options, badRequest, { keepNulls: true });
  const next = withManagers(decoded, managers);
  const { warnings } = options;
  if (live) return { status: 200, object: replace(world, kind, live, next, request.subresource, options), warnings };
  checkPlace(next, request);
  const { resourceVersion: _, ...rest } = next.metadata;
  const metadata = { ...rest, ...(request.namespace && { namespace: request.namespace }) } as ObjectMeta;
  return { status: 201, object: insert(world, kind, { ...next, metadata }, options), warnings };
}

/** @throws StatusError 400, 409, or 500 as the API server where the object does not fit its schema. */
function checkApplied(
  raw: unknown,
  kind: ServedKind,
  live: StoredObject | undefined,
  request: ApiRequest,
): StoredObject {
  const body = (isObject(raw) ? raw : {}) as StoredObject;
  if (body.apiVersion !== apiVersionOf(kind) || body.kind !== kind.kind) {
    throw badRequest(`invalid object type: ${typeText(body)}`);
  }
  const given: JsonObject = isObject(body.metadata) ? body.metadata : {};
  if (given.managedFields !== undefined) throw badRequest("metadata.managedFields must be nil");
  const error = typedError(body, kind.schema);
  if (error) {
    const place = `${given.namespace ?? ""}/${given.name ?? ""}; ${typeText(body)}`;
    throw plainError(`failed to create typed patch object (${place}): ${error}`);
  }
  if (!live && given.uid) {
    const why = `uid mismatch: the provided object specified uid ${given.uid}, and no existing object was found`;
    throw conflict(kind, request.name!, why);
  }
  const object = { ...body, metadata: given } as StoredObject;
  checkPlace(object, request);
  return object;
}

/** `group/version, Kind=kind`. */
function typeText({ apiVersion, kind }: Partial<StoredObject>): string {
  const version = String(apiVersion ?? "");
  return `${version.includes("/") ? version : `/${version}`}, Kind=${kind ?? ""}`;
}

/** An object that nobody's fields are known of belongs, before its first apply, to one manager of that name. */
function managersOf(live: StoredObject | undefined, kind: ServedKind): Manager[] {
  const managers = decodeManagers(live?.metadata.managedFields);
  if (!live || managers.length > 0) return managers;
  const fields = ownable(fieldsOf(withoutManagers(live), kind.schema), ignoredFields(kind, undefined));
  return [{ manager: "before-first-apply", operation: "Update", apiVersion: apiVersionOf(kind), fields }];
}
