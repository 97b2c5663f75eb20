/**
 * The functions and their durable scheduler as a process of its own, to be killed: what a user deploys. It tells its parent
 * where it listens, answers what the scheduler holds of a Site, and logs to stderr.
 * @module
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Controller } from "sluice";
import { serve } from "sluice/node";
import { CONTROLLER, type Site, sitesController } from "./controller.ts";
import { CLUSTER, type Question, SETTINGS_VARIABLE, type Settings, type Tidings } from "./functions.ts";
import { openWeb, type Web } from "./web.ts";

const settings = JSON.parse(process.env[SETTINGS_VARIABLE] ?? "") as Settings;
const { folder, namespace, kubeconfig, secret, debounceMs } = settings;

// A lab that was killed cannot clean up after itself. Whichever shows first: the channel to it ends, or nobody reads the log.
process.once("disconnect", endWithoutLab);
process.stderr.once("error", endWithoutLab);

const running = await serve({
  controllers: [telling(sitesController({ namespace, debounce: { milliseconds: debounceMs } }))],
  clusters: () => [{ name: CLUSTER, kubeconfig, relay: "apart", secrets: [secret] }],
  context: () => ({ web: openWeb(join(folder, "web")) }),
  stateDir: join(folder, "state"),
  listen: { port: 0, host: "127.0.0.1" },
  logLevel: "debug",
});

process.on("message", ({ id, name }: Question) => {
  const entry = running.scheduler.inspect({ cluster: CLUSTER, controller: CONTROLLER, namespace, name });
  tell({ id, ...(entry && { entry }) });
});
tell({ url: running.url ?? "" });
await running.ended;
process.exit(0);

function endWithoutLab(): void {
  rmSync(folder, { recursive: true, force: true });
  process.exit(1);
}

function tell(tidings: Tidings): void {
  process.send?.(tidings, undefined, undefined, (error) => {
    if (error) endWithoutLab();
  });
}

/** The same controller. The Action that its code returns goes to the log too: the line of a run names the outcome only. */
function telling(controller: Controller<unknown, { web: Web }, Site>): Controller<unknown, { web: Web }, Site> {
  return {
    ...controller,
    async reconcile(site, context) {
      const action = await controller.reconcile(site, context);
      context.log.debug("answer", { action });
      return action;
    },
  };
}
