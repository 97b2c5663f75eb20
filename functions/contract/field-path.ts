import * as z from "zod";

/** `.spec.secretName`: names joined by dots, from the object's root. */
export const fieldPath = z
  .string()
  .max(253)
  .regex(/^(?:\.[A-Za-z_][A-Za-z0-9_-]*)+$/);
