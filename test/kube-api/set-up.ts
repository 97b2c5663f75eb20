import type { KubeTransport } from "../../functions/ports/kube-transport.ts";
import { gadgetCrd, widgetCrd } from "./cases/crds.ts";
import { CRDS, GADGETS } from "./cases/samples.ts";

const crds = [widgetCrd, gadgetCrd];
const served = [GADGETS, "/apis/kube-api.example.com/v1/widgets", "/apis/kube-api.example.com/v2/widgets"];
const PATIENCE_MS = 60_000;

/** Makes the custom resources that the cases use, after those of an earlier run have gone, and waits until they are served. */
export async function setUp(server: KubeTransport): Promise<void> {
  const headers = { "content-type": "application/json" };
  for (const crd of crds) {
    const init = { method: "POST", headers, body: JSON.stringify(crd) };
    await until(crd.metadata.name, async () => (await statusOf(server, CRDS, init)) === 201);
  }
  for (const path of served) await until(path, async () => (await statusOf(server, path)) === 200);
}

async function statusOf(
  server: KubeTransport,
  path: string,
  init?: Parameters<KubeTransport["fetch"]>[1],
): Promise<number> {
  const response = await server.fetch(path, init);
  await response.body?.cancel();
  return response.status;
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await holds())) if (Date.now() > deadline) throw new Error(`${what} is not there`);
}
