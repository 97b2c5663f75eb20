export { checkMac } from "../../adapters/runtime/node/check-mac.ts";
export { proxiedFetch } from "../../adapters/runtime/node/kube-config/proxy-fetch.ts";
export { connectKube } from "../../adapters/runtime/node/kube-config/transport.ts";
export { listenOn } from "../../adapters/runtime/node/listen.ts";
