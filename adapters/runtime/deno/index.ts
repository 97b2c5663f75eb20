/**
 * What a process needs of Deno.
 * @module
 */
export { listenOn } from "./listen.ts";
export { proxiedFetch } from "./proxied-fetch.ts";
export { connectKube, type DenoTransport, type DenoTransportOptions } from "./transport.ts";
