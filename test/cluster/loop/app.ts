/**
 * The Node runtime as a process to be killed: `app.ts embedded` with its relay inside, `app.ts apart PORT` without. Prints
 * `ready`, `run KEY` for each run, and `overlap KEY` if a key ever runs twice at once.
 * @module
 */
import { start } from "../../../adapters/runtime/node/start.ts";
import { ipcSteps } from "../support/child-steps.ts";
import { SECRET } from "./deployment.ts";
import { controllersOf, newRecorder } from "./widgets.ts";

const [relay = "embedded", port = "0"] = process.argv.slice(2);
const { KUBECONFIG: kubeconfig = "", STATE_DIR: stateDir = "" } = process.env;
const recorder = newRecorder();
recorder.overlaps.push = (...keys) => {
  for (const key of keys) console.log(`overlap ${key}`);
  return 0;
};
recorder.runs.push = (...runs) => {
  for (const { key } of runs) console.log(`run ${key}`);
  return Array.prototype.push.apply(recorder.runs, runs);
};

const running = await start(
  {
    controllers: controllersOf(recorder),
    clusters: () => [{ name: "home", kubeconfig, relay: relay === "apart" ? "apart" : "embedded", secrets: [SECRET] }],
    stateDir,
    ...(relay === "apart" && { listen: { port: Number(port), host: "127.0.0.1" } }),
    logLevel: "warn",
  },
  ipcSteps(),
);
process.once("SIGTERM", () => void running.stop());
void running.synced.then(() => console.log("ready"));
