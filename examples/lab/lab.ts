import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Cluster, embeddedCluster, newToken, realCluster, writeKubeconfig } from "./cluster.ts";
import { CONTROLLER } from "./controller.ts";
import { createDoor, type Door } from "./door.ts";
import { CLUSTER, createFunctions, type Functions } from "./functions.ts";
import { createJournal, type Journal } from "./journal.ts";
import { createKubectl, ForbiddenError, type Kubectl, messageIn } from "./kubectl.ts";
import type { Leftovers } from "./leftovers.ts";
import { UsageError } from "./options.ts";
import { createPlace, type Place } from "./place.ts";
import { createRelay, type LabRelay } from "./relay.ts";
import type { Loose, Run } from "./run.ts";
import { type Row, readRow } from "./store.ts";
import { type Exchange, openTap } from "./tap.ts";
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
  /**
   * Waits for a condition, up to 10 s unless said otherwise.
   * @throws NotInTimeError; ForbiddenError as soon as the functions or the relay lack a right.
   */
  until<T>(what: string, condition: () => T | Promise<T>, limitMs?: number): ReturnType<typeof until<T>>;
  /** Waits until nothing was delivered and no run has ended for a moment. Only the order of the text depends on it. */
  quiet(): Promise<void>;
  /** Removes all that the lab made, in the cluster and on this machine. What it cannot remove is told to the leftovers. */
  close(): Promise<void>;
}

/** @param onRun told of each run as it ends. */
export async function openLab(options: {
  kubeconfig?: string;
  signal: AbortSignal;
  onRun: (run: Run) => void;
  leftovers: Leftovers;
}): Promise<Lab> {
  const { signal, leftovers } = options;
  /** What to undo, newest first. */
  const undo: [what: string, step: () => unknown][] = [];
  const close = async () => {
    for (const [what, step] of undo.splice(0).reverse()) await leftovers.unless(what, step);
  };
  try {
    const folder = makeFolder();
    const removeFolder = () => rmSync(folder, { recursive: true, force: true });
    process.once("exit", removeFolder);
    undo.push([`folder ${folder}`, removeFolder]);

    const cluster = options.kubeconfig ? await realCluster(options.kubeconfig) : await embeddedCluster(folder);
    undo.push(["connections", () => cluster.close()]);
    const kubectl = createKubectl(cluster.transport);
    const place = await createPlace(kubectl, signal, leftovers);
    undo.push([`namespace ${place.namespace}`, () => place.remove(leftovers)]);

    const journal = createJournal(options.onRun);
    const token = newToken();
    let forbidden: string | undefined;
    const onExchange = (exchange: Exchange) => {
      const { method, path, status, answer } = exchange;
      if (status === 403) forbidden ??= `${method} ${path}: 403 ${messageIn(JSON.stringify(answer))}`;
      journal.exchange(exchange);
    };
    const tap = await openTap({ transport: cluster.transport, token, onExchange });
    undo.push(["tap", () => tap.close()]);

    const { namespace } = place;
    const secret = `whsec_${Buffer.from(newToken(), "hex").toString("base64")}`;
    const kubeconfig = writeKubeconfig(folder, "functions", tap.url, token);
    const functions = createFunctions({ settings: { folder, namespace, kubeconfig, secret }, onLine: journal.line });
    undo.push(["functions", () => functions.stop()]);
    const door = createDoor({ url: () => functions.url, secret, namespace });
    const relay = createRelay({ cluster, door, secret, signal });
    undo.push(["relay", () => relay.stop()]);
    undo.push(["Sites", () => place.release()]);

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
      until(what, condition, limitMs = LIMIT_MS) {
        const unlessForbidden = () => {
          const why = forbidden ?? relay.forbidden();
          if (why !== undefined) throw new ForbiddenError(why);
          return condition();
        };
        return until(what, unlessForbidden, { limitMs, signal });
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function unlessNotInTime(error: unknown): void {
  if (!(error instanceof NotInTimeError)) throw error;
}

/** @throws UsageError that names TMPDIR. */
function makeFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), "sluice-lab-"));
  } catch (error) {
    const why = (error as Error).message;
    throw new UsageError(
      `TMPDIR: no folder can be made in ${tmpdir()} (${why}): set TMPDIR to a folder you may write to`,
    );
  }
}
