import type { ServedKind } from "../kinds/served-kind.ts";
import { create } from "../verbs/create.ts";
import { remove } from "../verbs/delete.ts";
import { patch } from "../verbs/patch.ts";
import { presentObject } from "../verbs/present.ts";
import { get, list } from "../verbs/read.ts";
import { update } from "../verbs/update.ts";
import { type Watches, watch } from "../verbs/watch.ts";
import type { World } from "../verbs/world.ts";
import type { Answer } from "./answer.ts";
import { negotiate } from "./negotiation.ts";
import type { ApiRequest } from "./request.ts";
import { methodNotAllowed } from "./status-error.ts";

/** Answers a request of the resource API. */
export function route(world: World, kind: ServedKind, request: ApiRequest, watches: Watches, asOf?: number): Answer {
  const shape = negotiate(request.headers.get("accept"));
  const present = (object: Parameters<typeof presentObject>[0]) =>
    presentObject(object, kind, shape, world.clock.now());
  const warnings = kind.deprecation ? [kind.deprecation] : [];
  switch (request.verb) {
    case "get":
      return { status: 200, warnings, body: get(world, kind, request, shape, asOf) };
    case "list":
      return { status: 200, warnings, body: list(world, kind, request, shape, asOf) };
    case "watch":
      return { status: 200, warnings, stream: watch(world, kind, request, shape, watches) };
    case "create":
    case "update":
    case "patch": {
      const handler = { create, update, patch }[request.verb];
      const written = handler(world, kind, request);
      return { status: written.status, warnings: [...warnings, ...written.warnings], body: present(written.object) };
    }
    case "delete": {
      const { object, gone } = remove(world, kind, request);
      if (!gone) return { status: 200, warnings, body: present(object) };
      const { name, uid } = object.metadata;
      const details = { name, ...(kind.group && { group: kind.group }), kind: kind.plural, uid };
      return {
        status: 200,
        warnings,
        body: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details },
      };
    }
    default:
      throw methodNotAllowed();
  }
}
