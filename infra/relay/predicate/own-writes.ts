import type { ManagedFieldsEntry } from "../../../functions/kube/resource.ts";
import { hashOf } from "./hash.ts";

/** What is kept of an object's `managedFields` to recognise a controller's own writes (R13). */
export type Writers = {
  /** The newest time of the controller's own entries, empty without one. */
  time: string;
  /** One hash of everybody else's entries, {@link NOBODY} without any. */
  others: number;
};

export const NOBODY = 0;

/** Sums up who wrote an object, as seen by the field manager `own`. */
export function writersOf(entries: readonly ManagedFieldsEntry[] | undefined, own: string): Writers {
  let time = "";
  let others = NOBODY;
  for (const entry of entries ?? []) {
    if (entry.manager === own) {
      // RFC 3339 in UTC, always of the same length: the text's order is time's.
      if (entry.time !== undefined && entry.time > time) time = entry.time;
    } else {
      // A sum, since the API server may reorder entries; with one added, never the value for nobody.
      others += 1 + hash(entry);
    }
  }
  return { time, others };
}

/**
 * Whether a version of an object differs from the one before only by a write of the controller's own. An update of a
 * value moves nothing but the writer's time, in whole seconds: two own writes within one second cannot be told from a
 * stranger's that took a field away, and are not taken for own.
 * @param before the version seen last, undefined if there was none and that is certain.
 */
export function isOwnWrite(before: Writers | undefined, after: Writers): boolean {
  return after.others === (before?.others ?? NOBODY) && after.time > (before?.time ?? "");
}

function hash(entry: ManagedFieldsEntry): number {
  return hashOf(`${entry.manager}\n${entry.operation}\n${entry.subresource}\n${entry.time}`);
}
