/**
 * The test kit (`sluice/testing`): an API server in memory.
 * @module
 */
export { type ApiServer, type ApiServerOptions, createApiServer } from "./api-server.ts";
export { createVirtualClock, type VirtualClock } from "./virtual-clock.ts";
