/**
 * A relay as a process to be killed: `relay.ts INGRESS [GATEWAY]`, the latter in JSON. Prints `ready` once its watches are
 * synced.
 * @module
 */
import { ipcSteps } from "../support/child-steps.ts";
import type { GatewayDoor } from "./deployment.ts";
import { openRelay } from "./open-relay.ts";

const [ingress = "", door] = process.argv.slice(2);
const { KUBECONFIG: kubeconfig = "" } = process.env;
const gateway = door === undefined ? undefined : (JSON.parse(door) as GatewayDoor);
const relay = await openRelay({ kubeconfig, ingress, steps: ipcSteps(), ...(gateway && { gateway }) });
process.once("SIGTERM", () => void relay.stop().then(() => process.exit(0)));
void relay.synced.then(() => console.log("ready"));
