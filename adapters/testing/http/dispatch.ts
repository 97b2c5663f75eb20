import { apiVersionOf, type ServedKind } from "../kinds/served-kind.ts";
import type { Watches } from "../verbs/watch.ts";
import type { World } from "../verbs/world.ts";
import { type Access, authorize, userOf } from "./access.ts";
import type { Answer } from "./answer.ts";
import { checkSize } from "./body.ts";
import { discover } from "./discovery.ts";
import { type Interceptor, intercepted } from "./interceptor.ts";
import { type ApiRequest, parsePath, type ResourcePath, verbOf } from "./request.ts";
import { route } from "./route.ts";
import { methodNotAllowed, noSuchPath, notFound, notServed, type StatusError } from "./status-error.ts";
import { isUnserved, unservedPath } from "./unserved.ts";

export type Server = {
  world: World;
  watches: Watches;
  access: Access;
  interceptors: ReadonlySet<Interceptor>;
};

const NOT_FOUND: Answer = { status: 404, text: "404 page not found\n" };

/** @throws StatusError */
export function answerTo(server: Server, request: Request, body: string): Answer {
  const url = new URL(request.url);
  const user = userOf(server.access, request.headers);
  const { registry } = server.world;
  if (request.method === "GET") {
    if (["/readyz", "/livez", "/healthz"].includes(url.pathname)) return { status: 200, text: "ok" };
    if (url.pathname === "/version") return { status: 200, body: { major: "1", minor: "36", gitVersion: "v1.36.3" } };
    const found = discover(registry, url.pathname);
    if (found) return { status: 200, body: found };
    const missing = unservedPath(url.pathname);
    if (missing) throw notServed(missing);
  }
  const path = parsePath(url.pathname);
  if (path === "unreadable") return { status: 400, text: "400 Bad Request" };
  if (!path) return NOT_FOUND;
  const verb = verbOf(request.method, path, url.searchParams);
  if (verb) authorize(server.access, user, verb, path, url.searchParams);
  const kind = registry.find(path.group, path.version, path.plural);
  if (!kind) return unknownResource(path, registry.hasBuiltInGroup(path.group, path.version));
  if (path.namespace !== undefined && !kind.namespaced) return kind.custom ? NOT_FOUND : failWith(noSuchPath());
  checkSubresource(path, kind);
  if (!verb) throw methodNotAllowed();
  checkSize(body);
  const apiRequest: ApiRequest = {
    ...path,
    verb,
    query: url.searchParams,
    headers: request.headers,
    body,
    signal: request.signal,
  };
  return route(
    server.world,
    kind,
    apiRequest,
    server.watches,
    intercepted(server.interceptors, apiRequest, server.world.store),
  );
}

function unknownResource(path: ResourcePath, isBuiltIn: boolean): Answer {
  const apiVersion = apiVersionOf(path);
  const resource = path.subresource ? `${path.plural}/${path.subresource}` : path.plural;
  if (isUnserved(apiVersion, resource)) throw notServed(`${apiVersion} ${resource}`);
  return isBuiltIn ? failWith(noSuchPath()) : NOT_FOUND;
}

function checkSubresource({ subresource, plural, name }: ResourcePath, kind: ServedKind): void {
  if (subresource === undefined) return;
  if (subresource === "status" && kind.status) return;
  if (subresource === "scale" && kind.scale) return;
  const apiVersion = apiVersionOf(kind);
  if (isUnserved(apiVersion, `${plural}/${subresource}`)) throw notServed(`${apiVersion} ${plural}/${subresource}`);
  throw kind.custom ? notFound(kind, name!) : noSuchPath();
}

function failWith(error: StatusError): never {
  throw error;
}
