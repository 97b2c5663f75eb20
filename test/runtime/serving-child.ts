/**
 * A process that serves one controller whose run goes on until its deadline, or `quick` ones. Prints `synced`, `running`
 * when a run is under way, `ended` when it has let go of everything.
 * @module
 */
import { awaitChange, defineController } from "sluice";
import { ConfigMap } from "sluice/kinds";
import { serve } from "sluice/node";

const [kubeconfig = "", stateDir = "", holdMs = "0", port] = process.argv.slice(2);

const maps = defineController()({
  name: "maps",
  for: ConfigMap,
  timeout: "1m",
  async reconcile() {
    console.log("running");
    if (holdMs === "forgets") void Promise.reject(new Error("nobody awaits this"));
    await new Promise((resolve) => setTimeout(resolve, Number(holdMs)));
    console.log("finished");
    return awaitChange();
  },
});

const running = await serve({
  controllers: [maps],
  clusters: () => [{ name: "home", kubeconfig }],
  stateDir,
  logLevel: "error",
  ...(port !== undefined && { listen: { port: Number(port), host: "127.0.0.1" } }),
});
if (running.url) console.log(running.url);
console.log((await running.synced) ? "synced" : "stopped before it was synced");
await running.ended;
console.log("ended");
