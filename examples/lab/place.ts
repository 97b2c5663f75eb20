import { randomBytes } from "node:crypto";
import { Site } from "./controller.ts";
import { CRD_NAME, type CrdUse, isServed, REMOVAL_LIMIT_MS, useCrd } from "./crd.ts";
import type { Kubectl } from "./kubectl.ts";
import { createLeftovers, type Leftovers } from "./leftovers.ts";
import { NotInTimeError, until } from "./until.ts";

const NAMESPACES = "/api/v1/namespaces";
/** How long the functions may take to clean up after the Sites that are left. */
const RELEASE_LIMIT_MS = 5_000;

/** A namespace of the lab's own, and the paths in it. */
export interface Place {
  readonly namespace: string;
  /** Whether a lab made the CRD, so that it goes with the last lab. */
  readonly crdIsOurs: boolean;
  readonly sites: string;
  readonly configMaps: string;
  readonly secrets: string;
  /** Deletes what Sites are left while the functions can clean up after them; else takes their finalizers away. */
  release(): Promise<void>;
  /** Removes what was created, once no Site is left, and goes on past what cannot be removed: that is left over. */
  remove(leftovers: Leftovers): Promise<void>;
}

/**
 * Creates the namespace, and the CRD unless it is there.
 * @throws what went wrong first, with what could not be removed again told to `leftovers`.
 */
export async function createPlace(kubectl: Kubectl, signal: AbortSignal, leftovers: Leftovers): Promise<Place> {
  const namespace = `sluice-lab-${randomBytes(3).toString("hex")}`;
  const core = `${NAMESPACES}/${namespace}`;
  const sites = `/apis/${Site.apiVersion}/namespaces/${namespace}/${Site.plural}`;
  let crd: CrdUse | undefined;
  const unreleased = createLeftovers();

  async function release(): Promise<void> {
    const left = () => kubectl.list(sites);
    const each = async (work: (path: string) => Promise<unknown>) => {
      for (const { metadata } of await left())
        await unreleased.unless(`Site ${metadata.name}`, () => work(`${sites}/${metadata.name}`));
    };
    try {
      await each((path) => kubectl.delete(path));
      await until("the Sites are gone", async () => (await left()).length === 0, { limitMs: RELEASE_LIMIT_MS });
    } catch (error) {
      if (!(error instanceof NotInTimeError)) throw error;
      await each((path) => kubectl.merge(path, { metadata: { finalizers: null } }));
    }
  }

  async function removeNamespace(): Promise<void> {
    await kubectl.delete(core);
    await until("it is gone", async () => !(await kubectl.find(core)), { limitMs: REMOVAL_LIMIT_MS });
  }

  async function remove(leftovers: Leftovers): Promise<void> {
    const before = leftovers.list.length;
    // Both at once: to take the CRD away helps to empty the namespace, and each takes its time.
    await Promise.all([
      leftovers.unless(`namespace ${namespace}`, removeNamespace),
      crd && leftovers.unless(`CRD ${CRD_NAME}`, () => crd?.end()),
    ]);
    // What happened to a Site matters only where its namespace stayed because of it.
    if (leftovers.list.length > before) leftovers.add(unreleased.list);
  }

  // Who may not list Sites is told so even before they exist; later the lab could not tell whether others need the CRD.
  await isServed(kubectl);
  await kubectl.create(NAMESPACES, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  try {
    crd = await useCrd(kubectl, namespace, signal);
    await until("the CRD is served", () => isServed(kubectl), { signal });
  } catch (error) {
    await remove(leftovers);
    throw error;
  }
  return {
    ...{ namespace, crdIsOurs: crd.isOurs, sites, remove },
    release: () => unreleased.unless(`Sites in ${namespace}`, release),
    configMaps: `${core}/configmaps`,
    secrets: `${core}/secrets`,
  };
}
