import * as z from "zod";
import { apiVersion } from "./api-version.ts";
import { MAX_MAP_KEYS } from "./limits.ts";
import { mappedKey } from "./mapped-key.ts";

/** `200` of `POST /map`: a result for each object, in the request's order. One with an error is asked again later. */
export const mapAnswer = z.object({
  apiVersion,
  results: z.array(
    z.union([z.object({ keys: z.array(mappedKey).max(MAX_MAP_KEYS) }), z.object({ error: z.string() })]),
  ),
});
export type MapAnswer = z.infer<typeof mapAnswer>;
