import * as z from "zod";
import { fieldPath } from "./field-path.ts";

/** What can happen to an object of a watch. An object that leaves the watch's selection is deleted from it. */
export const eventType = z.enum(["created", "updated", "deleted"]);
export type EventType = z.infer<typeof eventType>;

/**
 * Which watch events of a relation pass (R6). An update passes a value where that changed, what is created or deleted passes
 * every value. The beginning of a deletion, and finalizers while deleting, pass whatever is asked.
 */
export type Predicate =
  /** A kind without a generation changes with every version. */
  | "generation"
  /** Any change. */
  | "resourceVersion"
  /** Labels with these keys, or all. */
  | { labels: "all" | string[] }
  | { annotations: "all" | string[] }
  | { finalizers: "all" }
  /** The value at a path: `.spec.replicas`. */
  | { field: string }
  | { events: EventType[] }
  | { anyOf: Predicate[] }
  | { allOf: Predicate[] }
  /** The first of them that has a value in the object. */
  | { fallback: Predicate[] };

/** Most predicates in one list. */
export const MAX_PREDICATES = 16;

const keys = z.union([z.literal("all"), z.array(z.string()).min(1)]);
const several = z
  .array(z.lazy(() => predicate))
  .min(1)
  .max(MAX_PREDICATES);

export const predicate: z.ZodType<Predicate> = z.union([
  z.enum(["generation", "resourceVersion"]),
  z.strictObject({ labels: keys }),
  z.strictObject({ annotations: keys }),
  z.strictObject({ finalizers: z.literal("all") }),
  z.strictObject({ field: fieldPath }),
  z.strictObject({ events: z.array(eventType).min(1) }),
  z.strictObject({ anyOf: several }),
  z.strictObject({ allOf: several }),
  z.strictObject({ fallback: several }),
]);
