import { randomBytes } from "node:crypto";
import { crdOf } from "sluice";
import { Site } from "./controller.ts";
import { type Kubectl, StatusError } from "./kubectl.ts";
import { until } from "./until.ts";

const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const NAMESPACES = "/api/v1/namespaces";
const API = `/apis/${Site.apiVersion}`;
/** A real cluster takes some seconds to empty a namespace. */
const REMOVAL_LIMIT_MS = 30_000;

/** A namespace of the lab's own, and the paths in it. */
export interface Place {
  readonly namespace: string;
  /** Whether the CRD is the lab's own, and goes with it. */
  readonly crdIsOurs: boolean;
  readonly sites: string;
  readonly configMaps: string;
  readonly secrets: string;
  /** Removes what was created, once no Site is left. */
  remove(): Promise<void>;
}

/** Creates the namespace, and the CRD unless it is there. */
export async function createPlace(kubectl: Kubectl, signal: AbortSignal): Promise<Place> {
  const namespace = `sluice-lab-${randomBytes(3).toString("hex")}`;
  const core = `${NAMESPACES}/${namespace}`;
  const crd = `${CRDS}/${Site.plural}.${Site.group}`;
  const crdIsOurs = await createUnlessThere(kubectl, CRDS, crdOf(Site));

  async function remove(): Promise<void> {
    await kubectl.delete(core);
    // Another lab may be at work on this cluster.
    const others = crdIsOurs && (await isServed(kubectl)) ? await kubectl.list(`${API}/${Site.plural}`) : [];
    const removesCrd = crdIsOurs && others.every(({ metadata }) => metadata.namespace === namespace);
    if (removesCrd) await kubectl.delete(crd);
    const limit = { limitMs: REMOVAL_LIMIT_MS };
    await until(`namespace ${namespace} is gone`, async () => !(await kubectl.find(core)), limit);
    if (removesCrd) await until("the CRD is gone", async () => !(await kubectl.find(crd)), limit);
  }

  try {
    await kubectl.create(NAMESPACES, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    await until("the CRD is served", () => isServed(kubectl), { signal });
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    ...{ namespace, crdIsOurs, remove },
    sites: `${API}/namespaces/${namespace}/${Site.plural}`,
    configMaps: `${core}/configmaps`,
    secrets: `${core}/secrets`,
  };
}

async function createUnlessThere(kubectl: Kubectl, path: string, object: object): Promise<boolean> {
  try {
    await kubectl.create(path, object);
    return true;
  } catch (error) {
    if (error instanceof StatusError && error.status === 409) return false;
    throw error;
  }
}

async function isServed(kubectl: Kubectl): Promise<boolean> {
  try {
    await kubectl.list(`${API}/${Site.plural}`);
    return true;
  } catch (error) {
    if (error instanceof StatusError) return false;
    throw error;
  }
}
