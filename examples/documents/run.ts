import { serve } from "sluice/node";
import { documentsController } from "./controller.ts";

export type DocumentsOptions = { ownWrites: "ignore" | "trigger"; concurrency: number };

/** The example as a process: settings from the environment, `ready` on stdout, ends on SIGTERM. */
export async function runDocuments({ ownWrites, concurrency }: DocumentsOptions): Promise<void> {
  const { KUBECONFIG, STATE_DIR = ".state/documents", REPORT } = process.env;
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
