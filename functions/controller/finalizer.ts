import type { JsonPatchOperation } from "../kube/kube.ts";
import type { KubeObject } from "../kube/resource.ts";

/** What is known of one object in a run, before its next step. */
export type FinalizerState = {
  /** Our finalizer, where the controller has one. */
  finalizer?: string;
  /** Whether the controller's selector or namespaces exclude the object: it is let go of, deleting or not (F1). */
  excluded: boolean;
  /** The uid of the object that this run's cleanup has finished. */
  cleanedUid?: string;
};

/** The next step for an object. A patch leads to another object, which is asked about again. */
export type FinalizerStep =
  | { do: "reconcile" }
  | { do: "cleanup" }
  | { do: "patch"; operations: JsonPatchOperation[]; purpose: "add the finalizer" | "remove the finalizer" }
  /** Nothing of it is ours: it is being deleted, or excluded. */
  | { do: "leave" };

/**
 * What comes next for an object as it is now (F3). The user's code runs only on an object that holds the finalizer, the
 * finalizer goes only after a cleanup of this very object, and it comes only to one that is not being deleted.
 */
export function nextStep(object: KubeObject, { finalizer, excluded, cleanedUid }: FinalizerState): FinalizerStep {
  const { finalizers, deletionTimestamp, uid } = object.metadata;
  const at = finalizer === undefined ? -1 : (finalizers ?? []).indexOf(finalizer);
  if (deletionTimestamp !== undefined || excluded) {
    if (finalizer === undefined || at < 0) return { do: "leave" };
    if (cleanedUid !== uid) return { do: "cleanup" };
    return { do: "patch", operations: removal(finalizer, at), purpose: "remove the finalizer" };
  }
  if (finalizer === undefined || at >= 0) return { do: "reconcile" };
  return { do: "patch", operations: addition(finalizer, finalizers), purpose: "add the finalizer" };
}

/** The API server takes a `test` for null as true where the field is absent. */
function addition(finalizer: string, old: string[] | undefined): JsonPatchOperation[] {
  const path = "/metadata/finalizers";
  return [
    { op: "test", path, value: old ?? null },
    old ? { op: "add", path: `${path}/-`, value: finalizer } : { op: "add", path, value: [finalizer] },
  ];
}

function removal(finalizer: string, at: number): JsonPatchOperation[] {
  const path = `/metadata/finalizers/${at}`;
  return [
    { op: "test", path, value: finalizer },
    { op: "remove", path },
  ];
}
