import { crdOf } from "sluice";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { applyCrd, newNamespace } from "../support/cluster.ts";
import type { KubeApi } from "../support/kube-api.ts";
import { type Deployment, runsOf, widgetsOf } from "./deployment.ts";
import { Widget } from "./widgets.ts";

/** One deployment and one namespace for the tests of a file; after each of them no key has run twice at once (S2). */
export function deploymentUnderTest<D extends Pick<Deployment, "recorder" | "remove">>(
  api: KubeApi,
  deployed: () => Promise<D>,
) {
  let namespace: string;
  let deployment: D;

  beforeAll(async () => {
    await applyCrd(api, crdOf(Widget));
    namespace = await newNamespace(api);
    deployment = await deployed();
  });
  afterEach(() => expect(deployment.recorder.overlaps).toEqual([]));
  afterAll(async () => {
    await deployment?.remove();
    await api.close();
  });

  return {
    get namespace() {
      return namespace;
    },
    get deployment() {
      return deployment;
    },
    kubectl: () => widgetsOf(api, namespace),
    runs: (name: string) => runsOf(deployment, namespace, name),
  };
}
