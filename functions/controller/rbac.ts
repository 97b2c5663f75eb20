import type { RbacRule, ResourceRef } from "../contract/index.ts";
import type { Controller } from "./controller.ts";
import { isList, NAMESPACE } from "./selection.ts";

/**
 * What a controller's code may do in a cluster, and no more. Watching is the relay's, which has an account of its own.
 */
export function rbacOf(controller: Controller): RbacRule[] {
  const rules = new Map<string, Omit<RbacRule, "verbs"> & { verbs: Set<string> }>();
  const grant = (
    resource: string,
    { group }: ResourceRef,
    verbs: readonly string[],
    only?: readonly string[],
  ): void => {
    const id = `${group}/${resource}/${only?.join()}`;
    const namespaces = only && { namespaces: [...only] };
    const rule = rules.get(id) ?? {
      apiGroups: [group],
      resources: [resource],
      verbs: new Set<string>(),
      ...namespaces,
    };
    for (const verb of verbs) rule.verbs.add(verb);
    rules.set(id, rule);
  };
  const { for: primary, owns, watches, access, namespaces } = controller;
  // Namespaces that labels select come and go: there is no list of them to bind a role in.
  const list = namespaces && isList(namespaces) ? namespaces : undefined;
  const within = ({ scope }: ResourceRef) => (scope === "Namespaced" ? list : undefined);

  // Every run reads its object, and the finalizer comes and goes by JSON patch (F3); both also where the controller's
  // namespaces leave the object out, for it is released then (F1).
  grant(primary.plural, primary, controller.finalizer ? ["get", "patch"] : ["get"]);
  grant(`${primary.plural}/status`, primary, ["patch"], within(primary));
  // An owner reference that blocks the owner's deletion needs it where OwnerReferencesPermissionEnforcement is on.
  if (owns.length > 0) grant(`${primary.plural}/finalizers`, primary, ["update"], within(primary));
  // Apply is a patch, and a create where the child is missing; get settles its conflicts (F8); list and delete are for
  // children that are no longer wanted.
  for (const { resource } of owns)
    grant(resource.plural, resource, ["get", "list", "create", "patch", "delete"], within(resource));
  // One object that is named is read by its name; those that lead to the primary are found in a list.
  for (const { resource, namedBy } of watches)
    grant(resource.plural, resource, namedBy ? ["get"] : ["get", "list"], within(resource));
  // Every run asks whether the object's namespace is selected (F1).
  if (namespaces && !list) grant(NAMESPACE.plural, NAMESPACE, ["get"]);
  // What goes beyond the relations goes beyond their namespaces, too.
  for (const { resource, verbs } of access) grant(resource.plural, resource, verbs);

  return [...rules.values()].map((rule) => ({ ...rule, verbs: [...rule.verbs].sort() }));
}
