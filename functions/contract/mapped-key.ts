import * as z from "zod";
import { label, objectName } from "./object-ref.ts";

/** A key that an object leads to. Cluster and controller may be left out; any but the relation's own is refused (X2). */
export const mappedKey = z.object({
  cluster: z.string().optional(),
  controller: z.string().optional(),
  namespace: label.optional(),
  name: objectName,
});
export type MappedKey = z.infer<typeof mappedKey>;
