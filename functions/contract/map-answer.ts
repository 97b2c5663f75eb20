import * as z from "zod";
import { apiVersion } from "./api-version.ts";
import { MAX_MAP_KEYS } from "./limits.ts";
import { label, objectName } from "./object-ref.ts";

/** A key that an object leads to. Cluster and controller may be left out; any but the relation's own is refused (X2). */
export const mappedKey = z.object({
  cluster: z.string().optional(),
  controller: z.string().optional(),
  namespace: label.optional(),
  name: objectName,
});
export type MappedKey = z.infer<typeof mappedKey>;

/** What an object leads to. One with an error is asked about again later. */
export const mapResult = z.union([
  z.object({ keys: z.array(mappedKey).max(MAX_MAP_KEYS) }),
  z.object({ error: z.string() }),
]);
export type MapResult = z.infer<typeof mapResult>;

/** `200` of `POST /map`: a result for each object, in the request's order. */
export const mapAnswer = z.object({ apiVersion, results: z.array(mapResult) });
export type MapAnswer = z.infer<typeof mapAnswer>;
