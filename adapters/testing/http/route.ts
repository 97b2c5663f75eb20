import type { ServedKind } from "../kinds/served-kind.ts";
import type { StoredObject } from "../store/stored-object.ts";
import { create } from "../verbs/create.ts";
import { remove } from "../verbs/delete.ts";
import { removeCollection } from "../verbs/delete-collection.ts";
import { patch } from "../verbs/patch.ts";
import { Presenter } from "../verbs/present.ts";
import { get, list } from "../verbs/read.ts";
import { scale } from "../verbs/scale.ts";
import { update } from "../verbs/update.ts";
import { type Watches, watch } from "../verbs/watch.ts";
import type { World } from "../verbs/world.ts";
import type { Answer } from "./answer.ts";
import { negotiate } from "./negotiation.ts";
import type { ApiRequest } from "./request.ts";
import { methodNotAllowed, unsupportedVerb } from "./status-error.ts";

/**
 * Answers a request of the resource API.
 * @param asOf reads answer as they were right after this revision.
 */
export function route(world: World, kind: ServedKind, request: ApiRequest, watches: Watches, asOf?: number): Answer {
  const shape = negotiate(request.headers.get("accept"), kind.custom);
  const presenter = new Presenter(kind, shape, request.query, world.clock.now());
  const warnings = kind.deprecation ? [kind.deprecation] : [];
  const answer = (body: unknown, status = 200, more: readonly string[] = []): Answer => ({
    status,
    body,
    warnings: [...new Set([...warnings, ...more])],
  });
  if (request.subresource === "scale") {
    const { object, warnings: more } = scale(world, kind, request);
    return answer(object, 200, more);
  }
  if (request.subresource && !["get", "update", "patch"].includes(request.verb)) {
    throw kind.custom ? unsupportedVerb(kind, request.verb) : methodNotAllowed();
  }
  switch (request.verb) {
    case "get":
      return answer(presenter.object(get(world, kind, request, asOf)));
    case "list":
      return answer(presenter.list(list(world, kind, request, asOf)));
    case "watch":
      return { status: 200, warnings, stream: watch(world, kind, request, presenter, watches) };
    case "create":
    case "update":
    case "patch": {
      const handler = { create, update, patch }[request.verb];
      const written = handler(world, kind, request);
      return answer(presenter.object(written.object), written.status, written.warnings);
    }
    case "delete": {
      const { object, gone } = remove(world, kind, request);
      return answer(gone ? deleted(object, kind) : presenter.object(object));
    }
    case "deletecollection":
      return answer(presenter.list(removeCollection(world, kind, request)));
  }
}

function deleted({ metadata }: StoredObject, { group, plural }: ServedKind): unknown {
  const details = { name: metadata.name, ...(group && { group }), kind: plural, uid: metadata.uid };
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details };
}
