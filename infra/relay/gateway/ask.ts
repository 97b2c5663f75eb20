import { queryOf, type Verb } from "./query.ts";
import { Refusal } from "./refusal.ts";
import { type Target, targetOf } from "./target.ts";

/** A request, read: all that goes to the API server is written anew from this. */
export type Ask = {
  verb: Verb;
  method: Method;
  target: Target;
  query: URLSearchParams;
  /** Of the body, where there is one. */
  contentType?: ContentType;
};

const METHODS = ["GET", "POST", "PATCH", "DELETE"] as const;
type Method = (typeof METHODS)[number];

export const APPLY = "application/apply-patch+yaml";
const JSON_PATCH = "application/json-patch+json";
const TYPES = ["application/json", APPLY, JSON_PATCH, "application/merge-patch+json"] as const;
type ContentType = (typeof TYPES)[number];

/** Headers that some server would take for another method, path or user. */
const MISLEADING =
  /^(x-http-method(-override)?|x-method-override|x-original-url|x-rewrite-url|upgrade)$|^(impersonate|x-remote)-/;

/**
 * Reads what a request asks of the API server.
 * @param url as it came: the path is compared with how it is written, so nothing may have been cleaned up.
 * @throws Refusal 400, 405 or 415 that names what is wrong.
 */
export function askOf(request: { method: string; url: string; headers: Headers; hasBody: boolean }): Ask {
  for (const name of request.headers.keys())
    if (MISLEADING.test(name)) throw new Refusal(400, "malformed", `the header ${name} is refused`, { field: name });
  const method = METHODS.find((known) => known === request.method);
  if (!method) throw wrongMethod(`the gateway takes ${METHODS.join(", ")}`);
  const { path, query } = splitUrl(request.url);
  const target = targetOf(path);
  if (!target)
    throw new Refusal(400, "malformed", "path: is none of an object, its status, or a collection, as kube writes it", {
      field: "path",
    });
  const verb = verbOf(method, target);
  const contentType = typeOf(verb, target, request);
  const parameters = queryOf(verb, query);
  if (parameters.has("force") && contentType !== APPLY)
    throw new Refusal(400, "malformed", "force is a parameter of an apply only", { field: "query.force" });
  return { verb, method, target, query: parameters, ...(contentType && { contentType }) };
}

/** Path and query of a URL, without reading it. @example splitUrl("https://a.test/b?c") // { path: "/b", query: "c" } */
export function splitUrl(url: string): { path: string; query: string; raw: string } {
  const raw = url.replace(/^[a-z]+:\/\/[^/?#]*/i, "");
  const at = raw.indexOf("?");
  return at < 0 ? { path: raw, query: "", raw } : { path: raw.slice(0, at), query: raw.slice(at + 1), raw };
}

function verbOf(method: Method, { name, subresource }: Target): Verb {
  if (method === "GET") return name === undefined ? "list" : "get";
  if (method === "POST" && name === undefined) return "create";
  if (method === "PATCH" && name !== undefined) return "patch";
  if (method === "DELETE" && name !== undefined && subresource === undefined) return "delete";
  throw wrongMethod(`${method} of ${name === undefined ? "a collection" : "this"} is not served`);
}

function typeOf(
  verb: Verb,
  { subresource }: Target,
  { headers, hasBody }: { headers: Headers; hasBody: boolean },
): ContentType | undefined {
  if (verb === "get" || verb === "list" || (verb === "delete" && !hasBody)) return undefined;
  if (headers.has("content-encoding")) throw wrongType("content-encoding", "a body must not be compressed");
  const given = headers.get("content-type") ?? "";
  const allowed = verb !== "patch" ? TYPES.slice(0, 1) : subresource ? [JSON_PATCH] : TYPES.slice(1);
  const type = TYPES.find((known) => known === given && allowed.includes(known));
  if (!type) throw wrongType("content-type", `${verb} takes ${allowed.join(", ")}`);
  return type;
}

function wrongMethod(message: string): Refusal {
  return new Refusal(405, "method-not-allowed", message, { field: "method" }, { allow: METHODS.join(", ") });
}

function wrongType(field: string, message: string): Refusal {
  return new Refusal(415, "unsupported-media-type", message, { field });
}
