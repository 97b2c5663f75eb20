/**
 * Sluice on Node: `node:sqlite` as the store, a kubeconfig or a service account as the way to the cluster.
 * @module
 */
export type { ClusterOptions, ServeOptions } from "./options.ts";
export { serve } from "./serve.ts";
export type { Running } from "./start.ts";
