import { readBody, readPatch } from "../http/body.ts";
import type { ApiRequest } from "../http/request.ts";
import {
  badRequest,
  internal,
  methodNotAllowed,
  notFound,
  notServed,
  refuseIfAny,
  unsupportedVerb,
} from "../http/status-error.ts";
import { at, isObject, type JsonObject, withAt } from "../json.ts";
import type { ScalePaths, ServedKind } from "../kinds/served-kind.ts";
import { invalidValue } from "../schema/causes.ts";
import type { StoredObject } from "../store/stored-object.ts";
import type { Written } from "./create.ts";
import { APPLY, JSON_PATCH, patchType } from "./patch.ts";
import { jsonPatch, mergePatch } from "./patch-document.ts";
import { checkPlace, liveObject, replace } from "./update.ts";
import type { World } from "./world.ts";
import { trackUpdate, writerOf } from "./write.ts";
import { writeOptions } from "./write-options.ts";

/** Answers a request of `/scale`: the replicas of an object, in the shape that all kinds share. */
export function scale(world: World, kind: ServedKind, request: ApiRequest): Written {
  const paths = kind.scale!;
  const live = liveObject(world, kind, request);
  if (request.verb === "get") {
    if (!live) throw notFound(kind, request.name!);
    return { status: 200, object: scaleOf(live, kind, paths), warnings: [] };
  }
  if (request.verb !== "update" && request.verb !== "patch") {
    throw kind.custom ? unsupportedVerb(kind, request.verb) : methodNotAllowed();
  }
  const options = writeOptions(request, request.verb === "update" ? "UpdateOptions" : "PatchOptions");
  const type = request.verb === "patch" ? patchType(request, kind) : undefined;
  if (type === APPLY) throw notServed(`apply on ${kind.plural}/scale`);
  if (!live) throw notFound(kind, request.name!);
  const before = scaleOf(live, kind, paths);
  const wanted = wantedScale(before, request, type);
  checkPlace(wanted, request);
  const replicas = at(wanted, ["spec", "replicas"]) ?? 0;
  if (typeof replicas !== "number") throw badRequest("spec.replicas must be an integer");
  if (replicas < 0) {
    const field = kind.custom ? `.${paths.replicas.join(".")}` : "spec.replicas";
    const detail = kind.custom ? "should be a non-negative integer" : "must be greater than or equal to 0";
    refuseIfAny(kind, request.name!, [invalidValue(field, replicas, detail)]);
  }
  const { uid, resourceVersion = live.metadata.resourceVersion } = wanted.metadata;
  const metadata = { ...live.metadata, resourceVersion, ...(uid && { uid }) };
  const next = { ...withAt(live, paths.replicas, replicas), metadata } as StoredObject;
  const { time: _, ...writer } = writerOf(world, kind, options.fieldManager, "Update", "scale");
  const tracked = trackUpdate(live, next, kind, writer);
  const object = replace(world, kind, live, tracked, "scale", options);
  return { status: 200, object: scaleOf(object, kind, paths), warnings: options.warnings };
}

function wantedScale(before: StoredObject, request: ApiRequest, type: string | undefined): StoredObject {
  const scale = (
    type === undefined
      ? readBody(request.body, request.headers.get("content-type"), "Scale").value
      : patched(before, request, type)
  ) as JsonObject;
  return { ...scale, metadata: isObject(scale.metadata) ? scale.metadata : {} } as StoredObject;
}

function patched(before: StoredObject, request: ApiRequest, type: string): unknown {
  const patch = readPatch(request.body, type === JSON_PATCH ? "list" : "object");
  return type === JSON_PATCH ? jsonPatch(before, patch as JsonObject[]) : mergePatch(before, patch);
}

function scaleOf(object: StoredObject, kind: ServedKind, paths: ScalePaths): StoredObject {
  const replicas = at(object, paths.replicas);
  if (replicas === undefined && kind.custom)
    throw internal(`the spec replicas field ".${paths.replicas.join(".")}" does not exist`);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = selectorText(paths.selector && at(object, paths.selector));
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: {
      name,
      ...(namespace && { namespace }),
      uid,
      resourceVersion,
      ...(creationTimestamp && { creationTimestamp }),
    },
    spec: replicas ? { replicas } : {},
    status: { replicas: at(object, paths.statusReplicas) ?? 0, ...(selector && { selector }) },
  };
}

/** A label selector as a text: it is one already, or an object with `matchLabels`. */
function selectorText(selector: unknown): string {
  if (typeof selector === "string") return selector;
  const labels = isObject(selector) && isObject(selector.matchLabels) ? selector.matchLabels : {};
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(",");
}
