/**
 * What the core needs from a platform: interfaces with capability flags, and the error that one of them throws. Imports only
 * the contract.
 * @module
 */
export type * from "./clock.ts";
export * from "./invoker.ts";
export type * from "./key-value.ts";
export type * from "./kube-transport.ts";
export type * from "./logger.ts";
export type * from "./scheduler.ts";
export type * from "./steps.ts";
