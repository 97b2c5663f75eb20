/**
 * A process that gets ready what the example then runs, and whose memory goes with it: `prepare.ts PREPARATION`, which is
 * JSON. Says in a line what fails.
 * @module
 */
import { connectKube, credentialSource } from "../../adapters/runtime/node/kube-config/index.ts";
import { buildRelay } from "../../infra/image/build.ts";
import { applyAccount } from "./account.ts";
import { type Bundle, bundleAll } from "./bundle.ts";

export type Preparation = {
  bundles: readonly Bundle[];
  /** The file that the relay becomes. */
  relay: string;
};

async function account(): Promise<void> {
  const transport = await connectKube(credentialSource(process.env));
  await applyAccount(transport);
  await transport.close();
}

const { bundles, relay } = JSON.parse(process.argv[2] ?? "") as Preparation;
try {
  await Promise.all([account(), bundleAll(bundles), buildRelay(relay)]);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
