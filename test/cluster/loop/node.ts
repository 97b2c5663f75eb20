import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { start } from "../../../adapters/runtime/node/start.ts";
import { keyOf } from "../../../functions/contract/index.ts";
import { guardFolder } from "../support/process-guard.ts";
import { type Deployment, SECRET } from "./deployment.ts";
import type { GatewayAccess } from "./gateway-access.ts";
import { controllersOf, newRecorder } from "./widgets.ts";

/**
 * The functions on Node in this process: with their relay inside, or apart from it; with credentials of the cluster, or
 * through the gateway of a relay apart.
 */
export async function deployOnNode(
  way: { kubeconfig: string; relay: "embedded" | "apart" } | { access: GatewayAccess },
): Promise<Deployment> {
  const recorder = newRecorder();
  const controllers = controllersOf(recorder);
  const stateDir = mkdtempSync(join(tmpdir(), "sluice-state-"));
  guardFolder(stateDir);
  const isApart = "access" in way || way.relay === "apart";
  const cluster = { name: "home", secrets: [SECRET], ...("access" in way ? { gateway: way.access.gatewayUrl } : way) };
  const run = async () => {
    const running = await start({
      controllers,
      clusters: () => [cluster],
      stateDir,
      ...(isApart && { listen: { port: "access" in way ? way.access.ingressPort : 0, host: "127.0.0.1" } }),
      logLevel: "error",
    });
    await running.synced;
    return running;
  };
  let running = await run();
  return {
    recorder,
    get url() {
      return running.url ?? "";
    },
    ...("access" in way && { gateway: way.access.door }),
    held: (key) => running.scheduler.inspect(key),
    async recordOf(key) {
      await running.stop(); // nobody else may open the file meanwhile
      const database = new DatabaseSync(join(stateDir, "sluice.db"), { readOnly: true });
      const record = database.prepare("SELECT value FROM kv WHERE key = ?").get(keyOf(key))?.value;
      database.close();
      running = await run();
      return record && JSON.parse(String(record));
    },
    async remove() {
      await running.stop();
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}
