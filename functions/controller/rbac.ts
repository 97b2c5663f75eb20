import type { RbacRule, ResourceRef } from "../contract/index.ts";
import type { Controller } from "./controller.ts";

/**
 * What a controller's code may do in a cluster, and no more. Watching is the relay's, which has an account of its own.
 */
export function rbacOf(controller: Controller): RbacRule[] {
  const verbs = new Map<string, { group: string; resource: string; verbs: Set<string> }>();
  const grant = ({ group, plural }: ResourceRef, wanted: readonly string[], subresource?: string): void => {
    const resource = subresource ? `${plural}/${subresource}` : plural;
    const rule = verbs.get(`${group}/${resource}`) ?? { group, resource, verbs: new Set<string>() };
    for (const verb of wanted) rule.verbs.add(verb);
    verbs.set(`${group}/${resource}`, rule);
  };

  // Every run reads its object (F1).
  grant(controller.for, ["get"]);
  // The finalizer comes and goes by JSON patch (F3).
  if (controller.finalizer) grant(controller.for, ["patch"]);
  grant(controller.for, ["patch"], "status");
  // An owner reference that blocks the owner's deletion needs it where OwnerReferencesPermissionEnforcement is on.
  if (controller.owns.length > 0) grant(controller.for, ["update"], "finalizers");
  // Apply is a patch, and a create where the child is missing; get settles its conflicts (F8); list and delete are for
  // children that are no longer wanted.
  for (const { resource } of controller.owns) grant(resource, ["get", "list", "create", "patch", "delete"]);
  // One object that is named is read by its name, those that carry a label are found by it.
  for (const { resource, byLabel } of controller.watches) grant(resource, byLabel ? ["get", "list"] : ["get"]);
  for (const access of controller.access) grant(access.resource, access.verbs);

  return [...verbs.values()].map((rule) => ({
    apiGroups: [rule.group],
    resources: [rule.resource],
    verbs: [...rule.verbs].sort(),
  }));
}
