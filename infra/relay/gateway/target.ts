import { label, objectName } from "../../../functions/contract/index.ts";

/** What a path of the resource API names. */
export type Target = {
  /** Empty for the core group. */
  group: string;
  version: string;
  plural: string;
  namespace?: string;
  /** Absent for a collection. */
  name?: string;
  subresource?: "status";
};

const VERSION = /^v[1-9]\d{0,2}((alpha|beta)[1-9]\d{0,2})?$/;

/** What Kubernetes reads as something else than a plural at that place (apiserver `RequestInfoFactory`). */
const SPECIAL = new Set(["watch", "proxy"]);

/** What stands behind a namespace's name and is no plural (apiserver `namespaceSubresources`). */
const NAMESPACE_SUBRESOURCES = new Set(["status", "finalize"]);

/**
 * Reads a path as Kubernetes does, if it is written in the one way in which {@link pathOf} writes it: so there is no second
 * reading of it, by whichever proxy or server.
 * @param path without its query.
 * @example targetOf("/api/v1/namespaces/default/configmaps/a") // { group: "", version: "v1", plural: "configmaps", … }
 */
export function targetOf(path: string): Target | undefined {
  const [root, api, ...parts] = path.split("/");
  if (root !== "") return undefined;
  const group = api === "api" ? "" : api === "apis" ? parts.shift() : undefined;
  const version = parts.shift();
  if (group === undefined || version === undefined) return undefined;
  const namespaced = parts[0] === "namespaces" && parts.length > 2 && !NAMESPACE_SUBRESOURCES.has(parts[2]!);
  const [, namespace] = namespaced ? parts.splice(0, 2) : [];
  const [plural, segment, subresource, ...more] = parts;
  if (plural === undefined || more.length > 0 || (subresource !== undefined && subresource !== "status"))
    return undefined;
  const name = segment === undefined ? undefined : decoded(segment);
  const target: Target = {
    group,
    version,
    plural,
    ...(namespace !== undefined && { namespace }),
    ...(name !== undefined && { name }),
    ...(subresource !== undefined && { subresource }),
  };
  return isValid(target) && pathOf(target) === path ? target : undefined;
}

/** The path of a target, from its parts: none of them can lead elsewhere, once they are valid (X2). */
export function pathOf({ group, version, plural, namespace, name, subresource }: Target): string {
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const place = namespace === undefined ? root : `${root}/namespaces/${namespace}`;
  const object = name === undefined ? "" : `/${encodeURIComponent(name)}`;
  return `${place}/${plural}${object}${subresource === undefined ? "" : `/${subresource}`}`;
}

/** @example resourceOf(target) // "documents/status" */
export function resourceOf({ plural, subresource }: Target): string {
  return subresource === undefined ? plural : `${plural}/${subresource}`;
}

function isValid({ group, version, plural, namespace, name }: Target): boolean {
  return (
    (group === "" ? version === "v1" : isDomain(group) && VERSION.test(version)) &&
    label.safeParse(plural).success &&
    !SPECIAL.has(plural) &&
    (namespace === undefined || label.safeParse(namespace).success) &&
    (name === undefined || objectName.safeParse(name).success)
  );
}

function isDomain(group: string): boolean {
  return group.length <= 253 && group.split(".").every((part) => label.safeParse(part).success);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // No name: what is not UTF-8 is refused with it.
    return "";
  }
}
