import { ConflictError } from "./errors.ts";
import { find, type Place } from "./find.ts";
import type { ApplyOptions } from "./kube.ts";
import type { Draft, KubeObject, OwnerReference, Resource } from "./resource.ts";
import type { Sender } from "./send.ts";

/** How often an apply is tried while others change the object between our read and our write. */
const MAX_TRIES = 3;

/** What an apply adds to its draft because of what was read before it. */
type Basis = { uid?: string; resourceVersion?: string; force?: boolean };

/** Applies only if nothing is there: no object has this version, and an apply with a version creates what is absent. */
const ONLY_CREATE: Basis = { resourceVersion: "1" };

export type ApplyTarget = Place & {
  /** As it stands in a query. */
  fieldManager: string;
};

/**
 * Server-side apply, never with force on what is not ours (F8): one request where nobody disputes a field. With an owner,
 * a conflict leads to a read, and to force only where that read shows our owner as the controller, on exactly that
 * version of the object (F4). The first apply is fenced by the owner's uid alone: a child made for an owner that is gone
 * is garbage-collected.
 * @throws ConflictError naming the manager of the disputed fields, or the object that `adopt: false` refuses.
 * @throws TypeError for an owner that the object cannot have.
 */
export async function apply(
  sender: Sender,
  target: ApplyTarget,
  draft: Draft,
  { owner, adopt = true }: ApplyOptions,
): Promise<KubeObject> {
  if (owner === undefined) {
    if (!adopt) throw new TypeError("adopt: false needs an owner");
    return send(sender, target, draft, {});
  }
  const owned = withOwner(target.resource, draft, owner);
  let basis = adopt ? {} : basisOf(await find(sender, target), { target, draft, owner, adopt });
  for (let tries = 1; ; tries++) {
    try {
      return await send(sender, target, owned, basis);
    } catch (error) {
      if (!(error instanceof ConflictError) || tries === MAX_TRIES) throw error;
      basis = basisOf(await find(sender, target), { target, draft, owner, adopt, conflict: error });
    }
  }
}

type Attempt = { target: ApplyTarget; draft: Draft; owner: KubeObject; adopt: boolean; conflict?: ConflictError };

/** Decides from what is there how to apply next, or that nothing may be. */
function basisOf(existing: KubeObject | undefined, attempt: Attempt): Basis {
  if (existing === undefined) return attempt.adopt ? {} : ONLY_CREATE;
  const { uid, resourceVersion, ownerReferences } = existing.metadata;
  if (ownerReferences?.some((reference) => reference.controller && reference.uid === attempt.owner.metadata.uid))
    return { uid, resourceVersion, force: true };
  if (!attempt.adopt) throw refusal(attempt, "AlreadyExists", "adopt: false leaves it alone");
  const causes = attempt.conflict?.details?.causes ?? [];
  const disputes = causes.filter(({ reason }) => reason === "FieldManagerConflict");
  // Without a dispute, the object only changed under the API server's hands.
  if (disputes.length === 0) return {};
  throw refusal(attempt, "Conflict", disputes.map(({ field, message }) => `${field}: ${message}`).join(", "));
}

async function send(sender: Sender, target: ApplyTarget, draft: Draft, basis: Basis): Promise<KubeObject> {
  const { force, ...fence } = basis;
  const path = `${target.path}?fieldManager=${target.fieldManager}${force ? "&force=true" : ""}`;
  const body = { ...draft, metadata: { ...draft.metadata, ...fence } };
  return (await sender.write("PATCH", path, "apply", body)) as KubeObject;
}

function withOwner(resource: Resource, draft: Draft, owner: KubeObject): Draft {
  const { namespace, name, uid } = owner.metadata;
  if (namespace !== undefined && (resource.scope === "Cluster" || draft.metadata.namespace !== namespace))
    throw new TypeError(
      `owner: ${owner.kind} ${namespace}/${name} cannot own ${nameOf(draft)}: ` +
        "a namespaced object owns only objects of its namespace, and Kubernetes would delete the others",
    );
  const reference: OwnerReference = {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
  const others = draft.metadata.ownerReferences?.filter((other) => other.uid !== uid) ?? [];
  return { ...draft, metadata: { ...draft.metadata, ownerReferences: [...others, reference] } };
}

function refusal({ target, draft, owner }: Attempt, reason: string, why: string): ConflictError {
  return new ConflictError({
    status: 409,
    reason,
    message: `${nameOf(draft)} exists and is not controlled by ${nameOf(owner)}: ${why}`,
    method: "PATCH",
    path: target.path,
  });
}

function nameOf({ kind, metadata }: Draft): string {
  return `${kind} ${metadata.namespace === undefined ? "" : `${metadata.namespace}/`}${metadata.name}`;
}
