import * as z from "zod";
import { apiVersion } from "./api-version.ts";
import { MAX_MAP_OBJECTS } from "./limits.ts";
import { label } from "./object-ref.ts";

/** relay → `POST /map/:controller/:relation`: related objects, whose keys the controller's own code tells. */
export const mapRequest = z.strictObject({
  apiVersion,
  cluster: label,
  objects: z
    .array(
      z.strictObject({
        /** As it is now, or its metadata alone where the mapping asks for no more; always without `managedFields`. */
        object: z.looseObject({
          apiVersion: z.string(),
          kind: z.string(),
          metadata: z.looseObject({ name: z.string().min(1).max(253), namespace: label.optional() }),
        }),
        /** The object is gone: this is the last that was seen of it. */
        deleted: z.literal(true).optional(),
      }),
    )
    .min(1)
    .max(MAX_MAP_OBJECTS),
});
export type MapRequest = z.infer<typeof mapRequest>;
