import { serve } from "sluice/node";
import { documentsController } from "./controller.ts";

/** The example as a process: settings from the environment, `ready` on stdout, ends on SIGTERM. */
export async function runDocuments({ ownWrites }: { ownWrites: "ignore" | "trigger" }): Promise<void> {
  const { KUBECONFIG, STATE_DIR = ".state/documents", CONCURRENCY = "16", REPORT } = process.env;
  const concurrency = Number(CONCURRENCY);
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    console.error(`CONCURRENCY: must be a whole number from 1 on, not ${CONCURRENCY}`);
    process.exit(2);
  }
  const report = { reconciles: 0, errors: 0 };
  const reporter = {
    ran: () => {
      report.reconciles++;
    },
    failed: () => {
      report.errors++;
    },
  };
  const running = await serve({
    controllers: [documentsController({ ownWrites, concurrency, reporter })],
    clusters: () => [{ name: "home", ...(KUBECONFIG !== undefined && { kubeconfig: KUBECONFIG }) }],
    stateDir: STATE_DIR,
    logLevel: "error",
  });
  if (await running.synced) console.log("ready");
  await running.ended;
  if (REPORT === "1") console.log(JSON.stringify(report));
}
