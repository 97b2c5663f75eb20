import { crdOf } from "sluice";
import { Site } from "./controller.ts";
import { type Kubectl, StatusError } from "./kubectl.ts";
import type { Loose } from "./run.ts";
import { until } from "./until.ts";

const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const NAMESPACES = "/api/v1/namespaces";
export const CRD_NAME = `${Site.plural}.${Site.group}`;
const CRD = `${CRDS}/${CRD_NAME}`;
const SITES = `/apis/${Site.apiVersion}/${Site.plural}`;

/** A CRD with this label was made by a lab. One without it is somebody's own, and stays. */
const MADE = { "app.kubernetes.io/managed-by": "sluice-lab" };
/** A CRD takes some seconds to go on a real cluster. */
export const REMOVAL_LIMIT_MS = 30_000;

/** Each lab at work marks the CRD with its namespace. */
const markOf = (namespace: string) => `${Site.group}/${namespace}`;

/** The CRD in the hands of one lab. */
export interface CrdUse {
  /** Whether a lab made it: then the last lab that leaves removes it. */
  readonly isOurs: boolean;
  /** Takes the lab's mark away, and the CRD too where nobody else needs it. */
  end(): Promise<void>;
}

/**
 * Creates the CRD unless it is there, and marks one that a lab made, so that no other lab removes it meanwhile.
 * @param namespace the lab's, which is there already: a mark of a namespace that does not exist counts for nothing.
 */
export async function useCrd(kubectl: Kubectl, namespace: string, signal: AbortSignal): Promise<CrdUse> {
  const limit = { limitMs: REMOVAL_LIMIT_MS, signal };
  const crd = await until("the CRD is there", () => markedOrMade(kubectl, namespace), limit);
  const isOurs = isMadeByLab(crd);
  return { isOurs, end: async () => void (isOurs && (await leave(kubectl, namespace))) };
}

/** @returns undefined where another lab was faster: look again. */
async function markedOrMade(kubectl: Kubectl, namespace: string): Promise<Loose | undefined> {
  const mark = { annotations: { [markOf(namespace)]: "at work" } };
  const there = await kubectl.find(CRD);
  if (there?.metadata.deletionTimestamp) return undefined;
  if (there && !isMadeByLab(there)) return there;
  try {
    if (there) {
      const marked = await kubectl.merge(CRD, { metadata: mark });
      return marked.metadata.deletionTimestamp ? undefined : marked;
    }
    const crd = crdOf(Site);
    return await kubectl.create(CRDS, { ...crd, metadata: { ...crd.metadata, labels: MADE, ...mark } });
  } catch (error) {
    // Made by another lab between the look and the create, or removed before the mark.
    if (error instanceof StatusError && [404, 409].includes(error.status)) return undefined;
    throw error;
  }
}

/**
 * Deletes the CRD in the very version in which nobody else needs it. Where somebody does, takes the mark away and looks once
 * more: of two labs that leave at once, the later then finds that it is the last.
 */
async function leave(kubectl: Kubectl, namespace: string): Promise<void> {
  const decided = async () => {
    const crd = await kubectl.find(CRD);
    if (!crd || crd.metadata.deletionTimestamp) return "goes";
    if (await isNeeded(kubectl, crd, namespace)) {
      if (!(markOf(namespace) in (crd.metadata.annotations ?? {}))) return "stays";
      await kubectl.merge(CRD, { metadata: { annotations: { [markOf(namespace)]: null } } });
      return undefined;
    }
    const { uid, resourceVersion } = crd.metadata;
    try {
      await kubectl.delete(CRD, { uid, resourceVersion });
      return "goes";
    } catch (error) {
      if (error instanceof StatusError && error.status === 409) return undefined;
      throw error;
    }
  };
  const limit = { limitMs: REMOVAL_LIMIT_MS };
  const decision = await until("the CRD is at rest", decided, limit);
  if (decision === "goes") await until("it is gone", () => isGone(kubectl), limit);
}

/** Another lab may have made it anew by now. */
async function isGone(kubectl: Kubectl): Promise<boolean> {
  const crd = await kubectl.find(CRD);
  return !crd?.metadata.deletionTimestamp;
}

async function isNeeded(kubectl: Kubectl, { metadata }: Loose, namespace: string): Promise<boolean> {
  const marks = Object.keys(metadata.annotations ?? {}).filter((key) => key.startsWith(markOf("")));
  const others = marks.map((key) => key.slice(markOf("").length)).filter((name) => name !== namespace);
  const living = await Promise.all(others.map((name) => kubectl.find(`${NAMESPACES}/${name}`)));
  // A lab that was killed leaves its mark, and its namespace until somebody removes it.
  if (living.some((found) => found && !found.metadata.deletionTimestamp)) return true;
  const sites = await kubectl.list(SITES).catch((error: unknown) => {
    // Anything but that it is not served may hide somebody's Sites.
    if (error instanceof StatusError && error.status === 404) return [];
    throw error;
  });
  return sites.some((site) => site.metadata.namespace !== namespace);
}

function isMadeByLab({ metadata }: Loose): boolean {
  return Object.entries(MADE).every(([key, value]) => metadata.labels?.[key] === value);
}

/** @throws ForbiddenError where Sites may not be listed: waiting would not help. */
export async function isServed(kubectl: Kubectl): Promise<boolean> {
  try {
    await kubectl.list(SITES);
    return true;
  } catch (error) {
    if (error instanceof StatusError) return false;
    throw error;
  }
}
