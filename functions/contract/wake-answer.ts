import * as z from "zod";
import { apiVersion } from "./api-version.ts";
import { revision } from "./revision.ts";

/** `202` of `POST /wake`, and part of every other answer of the scheduler. */
export const wakeAnswer = z.object({
  apiVersion,
  /**
   * Milliseconds until the scheduler has something to do; null with nothing scheduled. Where the relay is the timer, at most
   * 1,000 while a run is in flight. Of all shards in the answer to `/wake`, else of those that the request concerned.
   */
  nextWakeInMs: z.int().min(0).nullable(),
  /** Who wakes the scheduler: the platform itself, or the relay. */
  timer: z.enum(["platform", "relay"]),
  /** The revision of the manifest that answers. */
  revision,
  /** Made with the store (S14). A relay that sees another one triggers everything. */
  epoch: z.string(),
});
export type WakeAnswer = z.infer<typeof wakeAnswer>;
