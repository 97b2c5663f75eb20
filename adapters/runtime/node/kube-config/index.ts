/**
 * How a Node process reaches its cluster: kubeconfig, in-cluster service account, and the transport over them.
 * @module
 */
export type { CredentialSource, Credentials, Environment, TlsOptions } from "./credentials.ts";
export { hiding } from "./hiding.ts";
export { inClusterSource, podNamespace } from "./in-cluster.ts";
export { kubeConfigSource } from "./kube-config.ts";
export { proxyOf } from "./proxy.ts";
export { proxiedFetch } from "./proxy-fetch.ts";
export { credentialSource } from "./source.ts";
export { connectKube, type NodeTransport, type NodeTransportOptions } from "./transport.ts";
