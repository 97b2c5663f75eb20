/**
 * A relay as a process to be killed: `relay.ts URL`. Prints `ready` once its watches are synced.
 * @module
 */
import { createJsonLogger } from "../../../adapters/runtime/json-logger.ts";
import { connectKube, credentialSource } from "../../../adapters/runtime/node/kube-config/index.ts";
import { systemClock } from "../../../adapters/runtime/system-clock.ts";
import { runRelay } from "../../../infra/relay/main.ts";
import { ipcSteps } from "../support/child-steps.ts";
import { SECRET } from "./deployment.ts";

const [url = ""] = process.argv.slice(2);
const relay = runRelay({
  cluster: "home",
  ingress: new URL(url),
  secrets: [SECRET],
  transport: await connectKube(credentialSource(process.env)),
  clock: systemClock,
  logger: createJsonLogger({ level: "warn", write: (line) => process.stderr.write(`${line}\n`) }),
  steps: ipcSteps(),
});
process.once("SIGTERM", () => void relay.stop().then(() => process.exit(0)));
void relay.synced.then(() => console.log("ready"));
