import type { ControllerManifest, RbacRule } from "../../../functions/contract/index.ts";
import * as builtIn from "../../../functions/kube/kinds-table.ts";
import { APPLY, type Ask } from "./ask.ts";
import type { Verb } from "./query.ts";
import { Refusal } from "./refusal.ts";
import { resourceOf, type Target } from "./target.ts";

/**
 * Lets pass what the controller declared (X2); the API server holds it to RBAC besides.
 * @throws Refusal 403 that names the line to add to `access`; 400 where the field manager is another one.
 */
export function checkAllowed(controller: ControllerManifest, { verb, target, query, contentType }: Ask): void {
  // An apply creates what is not there.
  const verbs: Verb[] = contentType === APPLY ? ["create", "patch"] : [verb];
  const missing = verbs.filter((one) => !controller.rbac.some((rule) => allows(rule, one, target)));
  if (missing.length > 0)
    throw new Refusal(403, "not-declared", advice(controller, missing, target), { field: "path" });

  const manager = query.get("fieldManager");
  if ((verb === "create" || verb === "patch") && manager !== controller.fieldManager) {
    const message = `fieldManager: must be ${controller.fieldManager}, the controller's own`;
    throw new Refusal(400, "malformed", message, { field: "query.fieldManager" });
  }
}

function allows({ apiGroups, resources, verbs, namespaces }: RbacRule, verb: Verb, target: Target): boolean {
  const { group, namespace } = target;
  return (
    apiGroups.includes(group) &&
    resources.includes(resourceOf(target)) &&
    verbs.includes(verb) &&
    (namespaces === undefined || (namespace !== undefined && namespaces.includes(namespace)))
  );
}

function advice(controller: ControllerManifest, verbs: readonly Verb[], target: Target): string {
  const where = target.namespace === undefined ? "" : ` in the namespace ${target.namespace}`;
  const group = target.group === "" ? "" : `.${target.group}`;
  const what = `${controller.name} did not declare that it may ${verbs.join(" and ")} ${resourceOf(target)}${group}${where}`;
  if (target.subresource) return `${what}: a controller writes the status of its own kind only`;
  const quoted = verbs.map((verb) => `"${verb}"`).join(", ");
  return `${what}: add { resource: ${kindOf(controller, target)}, verbs: [${quoted}] } to its access`;
}

/** The kind as the controller's code names it; its plural where nobody knows it. */
function kindOf({ relations }: ControllerManifest, { group, plural }: Target): string {
  const kinds = [...relations.map(({ watch }) => watch.resource), ...Object.values(builtIn)];
  return kinds.find((known) => known.group === group && known.plural === plural)?.kind ?? plural;
}
