import * as z from "zod";
import { apiVersion } from "./api-version.ts";
import { MAX_CHECKPOINT_PARTS } from "./limits.ts";
import { label } from "./object-ref.ts";

/** A part's name, which `partName` makes of its content. */
export const checkpointPart = z.string().regex(/^[\w-]{32}$/, "must be the name of a part");

/**
 * relay → `PUT /checkpoint/:cluster/index`, written after all parts that it names (R7). Other parts are put under their name
 * and are whatever their relay makes of them.
 */
export const checkpointIndex = z.strictObject({
  apiVersion,
  cluster: label,
  /** The name of the index that this one follows, null for none. Where another one is stored it is refused with 412. */
  replaces: checkpointPart.nullable(),
  /** Who wrote it, and for how many writers before: between two of them the later one is right. */
  holder: z.string().max(64),
  term: z.int().min(0),
  parts: z.array(checkpointPart).max(MAX_CHECKPOINT_PARTS),
  /** Parts of the index before that this one does not need. They are deleted with the next one. */
  retired: z.array(checkpointPart).max(MAX_CHECKPOINT_PARTS),
  /** The relay's own. */
  state: z.looseObject({}),
});
export type CheckpointIndex = z.infer<typeof checkpointIndex>;
