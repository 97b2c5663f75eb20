import { expect, test } from "vitest";
import { connectKube, credentialSource } from "../../adapters/runtime/node/kube-config/index.ts";
import { createKube } from "../../functions/kube/client.ts";
import { resourceRegistry } from "../../functions/kube/registry.ts";
import { Namespace } from "../functions/kube-client/objects.ts";
import { isTheKubeClient } from "./kube-client.case.ts";
import { sharedCluster } from "./support/cluster.ts";

const { api, certificateKubeconfig } = sharedCluster();

isTheKubeClient(api, async () => {
  const transport = await connectKube(credentialSource(process.env));
  return { transportOf: () => transport, close: () => transport.close() };
});

test("a client certificate and the cluster's CA are enough", async () => {
  const byCertificate = await connectKube(credentialSource({ KUBECONFIG: certificateKubeconfig }));
  const reading = createKube({ transport: byCertificate, resources: resourceRegistry([Namespace]), fieldManager: "x" });
  expect(await reading.find(Namespace, { name: "default" })).toMatchObject({ kind: "Namespace" });
  await byCertificate.close();
});
