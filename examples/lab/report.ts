import type { Verdict } from "./claims/claim.ts";
import { configMapFor, type Site } from "./controller.ts";
import type { Lab } from "./lab.ts";
import { changes } from "./run.ts";
import { SITES } from "./sites.ts";

/** One of the three Sites, as it is in the end. */
export type ResourceReport = {
  name: string;
  /** What it was at the start. */
  was: string;
  /** Its phase, or `gone`. */
  site: string;
  configMap: "as wanted" | "differs" | "gone";
  /** Outside the cluster. */
  page: "published" | "taken down";
  runs: number;
  /** How many of the runs changed anything in the cluster. */
  changingRuns: number;
  /** The outcome and Action of its last run. */
  lastAnswer: { outcome: string; action?: object };
};

/** What `--json` prints. */
export type Report = {
  server: { kind: "embedded" | "real"; version: string };
  claims: Verdict[];
  resources: ResourceReport[];
  seconds: number;
};

export async function reportOf(lab: Lab, verdicts: readonly Verdict[], startedAt: number): Promise<Report> {
  const { kind, version } = lab.cluster;
  return {
    server: { kind, version },
    claims: [...verdicts].sort((a, b) => a.id.localeCompare(b.id)),
    resources: await Promise.all(SITES.map(({ name, was }) => resourceReport(lab, name, was))),
    seconds: Math.round((performance.now() - startedAt) / 100) / 10,
  };
}

async function resourceReport(lab: Lab, name: string, was: string): Promise<ResourceReport> {
  const [site, configMap] = await Promise.all([lab.site(name), lab.configMap(name)]);
  const runs = lab.journal.of(name);
  const last = runs.at(-1);
  const isWanted = site && JSON.stringify(configMap?.data) === JSON.stringify(configMapFor(site as Site).data);
  return {
    ...{ name, was, site: site?.status?.phase ?? (site ? "unknown" : "gone") },
    configMap: configMap ? (isWanted ? "as wanted" : "differs") : "gone",
    page: lab.web.isPublished(name) ? "published" : "taken down",
    runs: runs.length,
    changingRuns: runs.filter((run) => changes(run).length > 0).length,
    lastAnswer: { outcome: last?.outcome ?? "none", ...(last?.action && { action: last.action }) },
  };
}
