import type * as z from "zod";
import type { StructuralSchema } from "../../../functions/kube/structural-schema.ts";

/** A zod schema, what becomes of it, and values that zod and the API server both take, or both refuse. */
export type Construct = {
  /** The name of its field: letters and digits. */
  name: string;
  zod: z.ZodType;
  crd: StructuralSchema;
  takes: readonly unknown[];
  refuses?: readonly unknown[];
  /** Values that only zod refuses: `parse` makes a misfit of them. */
  misfits?: readonly unknown[];
};
