import type { ResourcePath, Verb } from "./request.ts";
import { forbidden, unauthorized } from "./status-error.ts";

/** What a user may do, as a rule of a Role. `*` stands for all. */
export type PolicyRule = {
  apiGroups: readonly string[];
  /** `configmaps`, `deployments/status`. */
  resources: readonly string[];
  verbs: readonly string[];
  resourceNames?: readonly string[];
  /** In these namespaces only. Absent: everywhere. */
  namespaces?: readonly string[];
};

export type Access = {
  /** Who a bearer token is. Absent: every token is the administrator's. A request without a token is in any case. */
  tokens?: Readonly<Record<string, string>>;
  /** What users may do. Who is not named here may do nothing; the administrator may do all. */
  rules?: Readonly<Record<string, readonly PolicyRule[]>>;
};

/** The user who may do all, and impersonate others. */
export const ADMIN = "admin";

/** @throws StatusError 401 for a token that nobody has. */
export function userOf({ tokens }: Access, headers: Headers): string {
  const token = /^Bearer (.*)$/.exec(headers.get("authorization") ?? "")?.[1];
  const user = token === undefined || !tokens ? ADMIN : tokens[token];
  if (user === undefined) throw unauthorized();
  return (user === ADMIN && headers.get("impersonate-user")) || user;
}

/** @throws StatusError 403 where the user may not do this. */
export function authorize(
  { rules = {} }: Access,
  user: string,
  verb: Verb,
  path: ResourcePath,
  query: URLSearchParams,
): void {
  if (user === ADMIN) return;
  const { group, plural, subresource } = path;
  const resource = subresource ? `${plural}/${subresource}` : plural;
  const namespace = path.namespace ?? (group === "" && plural === "namespaces" ? path.name : undefined);
  const name = path.name ?? nameInSelector(query);
  const allows = (rule: PolicyRule) =>
    matches(rule.verbs, verb) &&
    matches(rule.apiGroups, group) &&
    matches(rule.resources, resource) &&
    (!rule.resourceNames || (name !== undefined && rule.resourceNames.includes(name))) &&
    (!rule.namespaces || (namespace !== undefined && rule.namespaces.includes(namespace)));
  if ((rules[user] ?? []).some(allows)) return;
  const where = namespace ? `in the namespace "${namespace}"` : "at the cluster scope";
  const what = `cannot ${verb} resource "${resource}" in API group "${group}" ${where}`;
  throw forbidden({ group, plural, kind: "" }, name ?? "", `User "${user}" ${what}`);
}

function matches(list: readonly string[], value: string): boolean {
  return list.includes("*") || list.includes(value);
}

/** A list or watch of one object by its name counts as one of that object. */
function nameInSelector(query: URLSearchParams): string | undefined {
  return /(?:^|,)metadata\.name==?([^,]+)/.exec(query.get("fieldSelector") ?? "")?.[1];
}
