/**
 * The wire: zod schemas that are the types. It imports nothing of ours.
 * @module
 */
export * from "./action.ts";
export * from "./api-version.ts";
export * from "./backoff.ts";
export * from "./bytes.ts";
export * from "./checkpoint-answer.ts";
export * from "./checkpoint-index.ts";
export * from "./field-path.ts";
export * from "./gateway.ts";
export * from "./label-selector.ts";
export * from "./limits.ts";
export * from "./manifest.ts";
export * from "./map-answer.ts";
export * from "./map-request.ts";
export * from "./object-ref.ts";
export * from "./part-name.ts";
export * from "./predicate.ts";
export * from "./problem.ts";
export * from "./reconcile-answer.ts";
export * from "./reconcile-request.ts";
export * from "./revision.ts";
export * from "./revision-of.ts";
export * from "./scheduling-options.ts";
export * from "./signature.ts";
export * from "./trigger.ts";
export * from "./triggers-answer.ts";
export * from "./wake-answer.ts";
export * from "./wake-request.ts";
