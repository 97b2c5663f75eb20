import type { KubeTransport } from "../../functions/ports/kube-transport.ts";
import { gadgetCrd, widgetCrd } from "./cases/crds.ts";
import { CRDS, GADGETS } from "./cases/samples.ts";
import { namespaceOf } from "./run-case.ts";

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

/** Removes the custom resources and the namespaces of the cases that ran; does not wait until they are gone. */
export async function tearDown(server: KubeTransport, ids: readonly string[]): Promise<void> {
  const namespaces = ids.map(namespaceOf);
  for (const collection of ["/api/v1", "/apis/kube-api.example.com/v1"]) {
    for (const namespace of namespaces) await releaseAll(server, `${collection}/namespaces/${namespace}`);
  }
  const paths = [
    ...crds.map(({ metadata }) => `${CRDS}/${metadata.name}`),
    ...namespaces.map((namespace) => `/api/v1/namespaces/${namespace}`),
  ];
  for (const path of paths) await statusOf(server, path, { method: "DELETE" });
}

/** Takes the finalizers off what the cases left in a namespace: nobody else would. */
async function releaseAll(server: KubeTransport, prefix: string): Promise<void> {
  const plural = prefix.startsWith("/api/") ? "configmaps" : "widgets";
  const response = await server.fetch(`${prefix}/${plural}`);
  const { items } = (await response.json()) as { items: { metadata: { name: string; finalizers?: string[] } }[] };
  for (const { metadata } of items.filter((item) => item.metadata.finalizers)) {
    const headers = { "content-type": "application/merge-patch+json" };
    const body = JSON.stringify({ metadata: { finalizers: null } });
    await statusOf(server, `${prefix}/${plural}/${metadata.name}`, { method: "PATCH", headers, body });
  }
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
