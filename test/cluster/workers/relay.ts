/**
 * A relay with its gateway as a process to be killed: `relay.ts INGRESS GATEWAY_PORT NAMESPACE NAME`. Prints `ready` once its
 * watches are synced.
 * @module
 */
import { createJsonLogger } from "../../../adapters/runtime/json-logger.ts";
import { connectKube, credentialSource } from "../../../adapters/runtime/node/kube-config/index.ts";
import { listenOn } from "../../../adapters/runtime/node/listen.ts";
import { systemClock } from "../../../adapters/runtime/system-clock.ts";
import { runRelay } from "../../../infra/relay/main.ts";
import { SECRET } from "../loop/deployment.ts";
import { ipcSteps } from "../support/child-steps.ts";

const [ingress = "", port = "", namespace = "", name = ""] = process.argv.slice(2);
const relay = runRelay({
  cluster: "home",
  ingress: new URL(ingress),
  secrets: [SECRET],
  gateway: { port: Number(port), serviceAccount: { namespace, name } },
  transport: await connectKube(credentialSource(process.env)),
  clock: systemClock,
  logger: createJsonLogger({ level: "warn", write: (line) => process.stderr.write(`${line}\n`) }),
  steps: ipcSteps(),
});
await listenOn(relay.gateway!.fetch, { port: Number(port), host: "127.0.0.1", streams: true });
process.once("SIGTERM", () => void relay.stop().then(() => process.exit(0)));
void relay.synced.then(() => console.log("ready"));
