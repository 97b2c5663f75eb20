/**
 * The test kit (`sluice/testing`): an API server in memory, and a clock that a test moves.
 * @module
 */
export { type ApiServer, type ApiServerOptions, createApiServer } from "./api-server.ts";
export type { Access, PolicyRule } from "./http/access.ts";
export type { Interception, Interceptor } from "./http/interceptor.ts";
export type { ApiRequest, Verb } from "./http/request.ts";
export { createVirtualClock, type VirtualClock } from "./virtual-clock.ts";
