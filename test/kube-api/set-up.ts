import type { KubeTransport } from "../../functions/ports/kube-transport.ts";
import { gadgetCrd, widgetCrd } from "./cases/crds.ts";
import { CRDS, GADGETS } from "./cases/samples.ts";

const json = { "content-type": "application/json" };

/** Makes the custom resources that the cases use, and waits until they are served. */
export async function setUp(server: KubeTransport): Promise<void> {
  for (const crd of [widgetCrd, gadgetCrd]) {
    const response = await server.fetch(CRDS, { method: "POST", headers: json, body: JSON.stringify(crd) });
    if (response.status !== 201 && response.status !== 409) throw new Error(`no CRD: ${await response.text()}`);
    await response.body?.cancel();
  }
  const paths = [GADGETS, "/apis/kube-api.example.com/v1/widgets", "/apis/kube-api.example.com/v2/widgets"];
  const deadline = Date.now() + 30_000;
  for (const path of paths) {
    while ((await server.fetch(path)).status !== 200) {
      if (Date.now() > deadline) throw new Error(`${path} is not served`);
    }
  }
}
