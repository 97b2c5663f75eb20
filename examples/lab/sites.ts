import { CONTROLLER, configMapFor, Site } from "./controller.ts";
import type { Lab } from "./lab.ts";
import type { Loose } from "./run.ts";

/** The three Sites, and why each is there. */
export const SITES = [
  { name: "docs", was: "its ConfigMap is already right", spec: { text: "How it works" } },
  { name: "blog", was: "new", spec: { text: "Hello" } },
  { name: "shop", was: "its Secret is missing", spec: { text: "Open from 9 to 5", secretName: "shop-key" } },
] as const;

export type SiteName = (typeof SITES)[number]["name"];

export function createSite(lab: Lab, name: SiteName): Promise<Loose> {
  const { spec } = SITES.find((site) => site.name === name)!;
  const { apiVersion, kind } = Site;
  return lab.kubectl.create(lab.place.sites, { apiVersion, kind, metadata: { name }, spec });
}

/** Makes a Site's ConfigMap what its controller would make it: as an earlier deployment may have left it. */
export async function makeConfigMapRight(lab: Lab, site: Loose): Promise<void> {
  const wanted = configMapFor(site as Site);
  const { apiVersion, kind } = Site;
  const { name, uid } = site.metadata;
  const owner = { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
  const object = { ...wanted, metadata: { ...wanted.metadata, ownerReferences: [owner] } };
  await lab.kubectl.apply(`${lab.place.configMaps}/${name}`, object, CONTROLLER);
}
