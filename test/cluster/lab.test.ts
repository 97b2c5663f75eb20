import { afterAll, beforeAll, expect, test } from "vitest";
import { type LabRun, type Report, reportIn, runLab } from "../lab/lab-process.ts";
import { sharedCluster } from "./support/cluster.ts";

const { api, kubeconfig } = sharedCluster();
afterAll(() => api.close());

const NAMESPACES = "/api/v1/namespaces";
const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

async function namesIn(path: string): Promise<string[]> {
  const { items } = (await api.get(path)) as unknown as { items: { metadata: { name: string } }[] };
  return items.map(({ metadata }) => metadata.name).sort();
}
const everything = async () => ({ namespaces: await namesIn(NAMESPACES), crds: await namesIn(CRDS) });

// Functions and relay here are the lab's own processes on Node: what it shows of the loop, the other tests show on Workers.
let before: Awaited<ReturnType<typeof everything>>;
let real: LabRun;
let embedded: LabRun;
beforeAll(async () => {
  before = await everything();
  // The garbage collector's wait for new kinds is most of it.
  [real, embedded] = await Promise.all([runLab(["--json", "--kubeconfig", kubeconfig]), runLab(["--json"])]);
});

test("every claim holds on a real API server", () => {
  expect(reportIn(real).claims.filter(({ holds }) => !holds)).toEqual([]);
  expect(real).toMatchObject({ code: 0, stderr: "" });
});

test("the embedded API server leads to the same report", () => {
  expect(reportIn(real).server.kind).toBe("real");
  expect(reportIn(embedded).server.kind).toBe("embedded");
  expect(masked(reportIn(real))).toEqual(masked(reportIn(embedded)));
});

test("the lab removes its namespace and its CRD, and nothing else", async () => {
  const after = await everything();
  // Namespaces of earlier tests may have gone meanwhile.
  expect(after.namespaces.filter((name) => !before.namespaces.includes(name))).toEqual([]);
  expect(after.crds).toEqual(before.crds);
});

/** Without what differs from run to run: the server's name, times, versions, and how many events one look answered. */
function masked({ server: _server, seconds: _seconds, claims, resources }: Report): unknown {
  return {
    resources: resources.map(({ runs: _runs, ...resource }) => resource),
    claims: JSON.parse(JSON.stringify(claims), (name, value: unknown) => {
      if (["dueInMs", "requeueDueInMs", "tookMs"].includes(name)) return typeof value;
      return Array.isArray(value) && value.length === 2 && value.every(isVersion) ? comparison(value) : value;
    }),
  };
}

/** A number as text, or null for no object. */
function isVersion(value: unknown): boolean {
  return value === null || (typeof value === "string" && /^\d+$/.test(value));
}

function comparison([before, after]: (string | null)[]): string {
  if (before === null && after === null) return "never there";
  return before === after ? "equal" : "moved";
}
