/**
 * A control plane for the hand, or for whoever needs one in a process of its own:
 * `node test/cluster/control-plane/run.ts [FOLDER_OF_BINARIES]`. It ends with SIGTERM or SIGINT.
 * @module
 */
import { buildControlPlane } from "./build.ts";
import { startControlPlane } from "./start.ts";

const plane = await startControlPlane({ bin: process.argv[2] ?? buildControlPlane() });
console.log(`export KUBECONFIG=${plane.kubeconfig}`);
console.log(`pids ${Object.values(plane.pids()).join(" ")}`);
const wait = setInterval(() => {}, 60_000);
for (const signal of ["SIGTERM", "SIGINT"] as const)
  process.once(signal, async () => {
    clearInterval(wait);
    await plane.stop();
  });
