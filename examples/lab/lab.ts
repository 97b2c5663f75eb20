import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Cluster, embeddedCluster, newToken, realCluster, writeKubeconfig } from "./cluster.ts";
import { CONTROLLER } from "./controller.ts";
import { createDoor, type Door } from "./door.ts";
import { CLUSTER, createFunctions, type Functions } from "./functions.ts";
import { createJournal, type Journal } from "./journal.ts";
import { createKubectl, type Kubectl } from "./kubectl.ts";
import { createPlace, type Place } from "./place.ts";
import { createRelay, type LabRelay } from "./relay.ts";
import type { Loose, Run } from "./run.ts";
import { type Row, readRow } from "./store.ts";
import { openTap } from "./tap.ts";
import { LIMIT_MS, NotInTimeError, until } from "./until.ts";
import { openWeb } from "./web.ts";

const QUIET_MS = 100;

/** Everything that the claims work with. The functions and the relay are not started yet. */
export interface Lab {
  readonly cluster: Cluster;
  readonly place: Place;
  readonly kubectl: Kubectl;
  readonly functions: Functions;
  readonly relay: LabRelay;
  readonly door: Door;
  readonly journal: Journal;
  readonly web: ReturnType<typeof openWeb>;
  site(name: string): Promise<Loose | undefined>;
  configMap(name: string): Promise<Loose | undefined>;
  /** The row of a Site in the scheduler's store, while its process is dead. */
  row(name: string): Promise<Row | undefined>;
  /** Waits for a condition, up to 10 s unless said otherwise. @throws NotInTimeError */
  until<T>(what: string, condition: () => T | Promise<T>, limitMs?: number): ReturnType<typeof until<T>>;
  /** Waits until nothing was delivered and no run has ended for a moment. Only the order of the text depends on it. */
  quiet(): Promise<void>;
  /** Removes all that the lab made, in the cluster and on this machine. */
  close(): Promise<void>;
}

/** @param onRun told of each run as it ends. */
export async function openLab(options: {
  kubeconfig?: string;
  signal: AbortSignal;
  onRun: (run: Run) => void;
}): Promise<Lab> {
  const { signal } = options;
  /** What to undo, newest first. */
  const undo: (() => unknown)[] = [];
  const close = async () => {
    const errors: unknown[] = [];
    for (const step of undo.splice(0).reverse())
      await Promise.resolve()
        .then(step)
        .catch((error: unknown) => errors.push(error));
    if (errors.length > 0) throw errors[0];
  };
  try {
    const folder = mkdtempSync(join(tmpdir(), "sluice-lab-"));
    const removeFolder = () => rmSync(folder, { recursive: true, force: true });
    process.once("exit", removeFolder);
    undo.push(removeFolder);

    const cluster = options.kubeconfig ? await realCluster(options.kubeconfig) : await embeddedCluster(folder);
    undo.push(() => cluster.close());
    const kubectl = createKubectl(cluster.transport);
    const place = await createPlace(kubectl, signal);
    undo.push(() => place.remove());

    const journal = createJournal(options.onRun);
    const token = newToken();
    const tap = await openTap({ transport: cluster.transport, token, onExchange: journal.exchange });
    undo.push(() => tap.close());

    const { namespace } = place;
    const secret = `whsec_${Buffer.from(newToken(), "hex").toString("base64")}`;
    const kubeconfig = writeKubeconfig(folder, "functions", tap.url, token);
    const functions = createFunctions({ settings: { folder, namespace, kubeconfig, secret }, onLine: journal.line });
    undo.push(() => functions.stop());
    const door = createDoor({ url: () => functions.url, secret, namespace });
    const relay = createRelay({ cluster, door, secret, signal });
    undo.push(() => relay.stop());
    undo.push(() => releaseSites(kubectl, place));

    const site = (name: string) => kubectl.find(`${place.sites}/${name}`);
    return {
      ...{ cluster, place, kubectl, functions, relay, door, journal, close, site },
      web: openWeb(join(folder, "web")),
      configMap: (name) => kubectl.find(`${place.configMaps}/${name}`),
      row: (name) => readRow(join(folder, "state"), `${CLUSTER}/${CONTROLLER}/${namespace}/${name}`),
      async quiet() {
        const news = () => journal.runs.length + door.deliveries.length;
        let last = { news: news(), at: performance.now() };
        const isQuiet = () => {
          if (last.news !== news()) last = { news: news(), at: performance.now() };
          return performance.now() - last.at >= QUIET_MS;
        };
        await until("it is quiet", isQuiet, { limitMs: 10 * QUIET_MS, signal }).catch(unlessNotInTime);
      },
      until: (what, condition, limitMs = LIMIT_MS) => until(what, condition, { limitMs, signal }),
    };
  } catch (error) {
    // What went wrong first is what there is to say.
    await close().catch(() => {});
    throw error;
  }
}

function unlessNotInTime(error: unknown): void {
  if (!(error instanceof NotInTimeError)) throw error;
}

/** Deletes what Sites are left while the functions can clean up after them; else takes their finalizers away. */
async function releaseSites(kubectl: Kubectl, place: Place): Promise<void> {
  const left = () => kubectl.list(place.sites);
  for (const { metadata } of await left()) await kubectl.delete(`${place.sites}/${metadata.name}`);
  try {
    await until("the Sites are gone", async () => (await left()).length === 0, { limitMs: 5_000 });
  } catch (error) {
    if (!(error instanceof NotInTimeError)) throw error;
    for (const { metadata } of await left())
      await kubectl.merge(`${place.sites}/${metadata.name}`, { metadata: { finalizers: null } });
  }
}
