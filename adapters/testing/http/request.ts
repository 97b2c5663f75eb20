/** What a request asks for, read from its method, path, query and headers. */
export type ApiRequest = {
  verb: Verb;
  group: string;
  version: string;
  plural: string;
  namespace: string | undefined;
  name: string | undefined;
  subresource: string | undefined;
  query: URLSearchParams;
  headers: Headers;
  body: string;
  signal: AbortSignal;
};

export type Verb = "get" | "list" | "watch" | "create" | "update" | "patch" | "delete" | "deletecollection";

export type ResourcePath = Pick<ApiRequest, "group" | "version" | "plural" | "namespace" | "name" | "subresource">;

/** Reads a path of the resource API; undefined where it is none, `unreadable` where it is no percent-encoding. */
export function parsePath(pathname: string): ResourcePath | "unreadable" | undefined {
  const parts = decoded(pathname.split("/").slice(1));
  if (!parts) return "unreadable";
  if (parts.at(-1) === "") parts.pop();
  const root = parts.shift();
  const group = root === "apis" ? parts.shift() : root === "api" ? "" : undefined;
  const version = parts.shift();
  if (group === undefined || version === undefined || parts.length === 0) return undefined;
  let namespace: string | undefined;
  if (parts[0] === "namespaces" && parts.length > 2 && !["status", "finalize"].includes(parts[2]!)) {
    namespace = parts[1];
    parts.splice(0, 2);
  }
  const [plural, name, subresource, ...rest] = parts;
  if (!plural || rest.length > 0) return undefined;
  return { group, version, plural, namespace, name, subresource };
}

/** Undefined where a part is no text in percent-encoding. */
function decoded(parts: readonly string[]): string[] | undefined {
  try {
    return parts.map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/** The verb of a method on a collection or an object; undefined where there is none. */
export function verbOf(method: string, path: ResourcePath, query: URLSearchParams): Verb | undefined {
  const named = path.name !== undefined;
  const watch = ["true", "1", ""].includes(query.get("watch") ?? "no");
  switch (method) {
    case "GET":
      return named ? "get" : watch ? "watch" : "list";
    case "POST":
      return named && !path.subresource ? undefined : "create";
    case "PUT":
      return named ? "update" : undefined;
    case "PATCH":
      return named ? "patch" : undefined;
    case "DELETE":
      return named ? "delete" : "deletecollection";
    default:
      return undefined;
  }
}
