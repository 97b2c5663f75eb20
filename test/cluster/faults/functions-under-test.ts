import { join } from "node:path";
import { createMemoryKeyValue } from "../../../adapters/kv/memory.ts";
import { systemClock } from "../../../adapters/runtime/system-clock.ts";
import { createSqliteScheduler } from "../../../adapters/scheduler/sqlite.ts";
import { openSqliteFile, type SqliteFile } from "../../../adapters/sqlite/sqlite-file.ts";
import { API_VERSION, type Manifest, type ReconcileAnswer } from "../../../functions/contract/index.ts";
import { createIngress } from "../../../functions/http/ingress.ts";
import type { Scheduler } from "../../../functions/ports/index.ts";
import type { IngressFetch } from "../../../infra/relay/deliver/ingress.ts";
import { secret } from "../../relay/support/scripted-ingress.ts";
import { recordingLogger } from "../../support/recording-logger.ts";
import type { KubeApi, KubeObject } from "../support/kube-api.ts";

/** What a run read: the object's uid and version, or nothing. */
type Read = string | undefined;
const readOf = (object: KubeObject | undefined): Read =>
  object && `${object.metadata.uid} ${object.metadata.resourceVersion}`;

/**
 * The ingress and the scheduler as they are, before functions that only note what they read: a key whose last run read what
 * is there now has not lost a trigger.
 */
export class FunctionsUnderTest {
  /** How often each key ran, by path. */
  readonly runs = new Map<string, number>();
  readonly ingress: IngressFetch = { fetch: (path, init) => this.#fetch(path, init) };
  readonly #options: { api: KubeApi; manifest: Manifest; dir: string };
  /** Where checkpoints are kept. */
  readonly #kv = createMemoryKeyValue(systemClock);
  readonly #read = new Map<string, Read>();
  #stores = 0;
  #file!: SqliteFile;
  #scheduler!: Scheduler;
  #fetch!: IngressFetch["fetch"];

  constructor(options: { api: KubeApi; manifest: Manifest; dir: string }) {
    this.#options = options;
  }

  /**
   * The names of the keys that have run more often than then. Leaves out what the controller manager makes in every
   * namespace when it gets to it.
   */
  ranSince(before: ReadonlyMap<string, number>): string[] {
    const ran = [...this.runs].filter(([key, runs]) => runs > (before.get(key) ?? 0));
    const names = ran.map(([key]) => key.split("/").at(-1)!);
    return names.filter((name) => name !== "kube-root-ca.crt").sort();
  }

  /** Goes on with an empty store, as one whose file was lost. */
  async replaceStore(): Promise<void> {
    await this.close();
    await this.open();
  }

  async close(): Promise<void> {
    await this.#scheduler.drain();
    await this.#scheduler.close();
    await this.#file.close();
  }

  /** @throws unless every key's last run has read what the API server holds: of what is there, and of what was. */
  async expectUpToDate(): Promise<void> {
    const { api, manifest } = this.#options;
    for (const { relations } of manifest.controllers) {
      const path = pathOf(relations[0]!.watch);
      const objects: KubeObject[] = (await api.find(path))?.items ?? [];
      const now = new Map(objects.map((each) => [`${path}/${each.metadata.name}`, readOf(each)]));
      const known = [...this.#read.keys()].filter((key) => key.startsWith(`${path}/`));
      const late = [...new Set([...now.keys(), ...known])].filter(
        (key) => !this.#read.has(key) || this.#read.get(key) !== now.get(key),
      );
      if (late.length > 0) throw new Error(`the last run of these read another state: ${late.slice(0, 5).join(", ")}`);
    }
  }

  /** Begins with an empty store. */
  async open(): Promise<void> {
    const { manifest, dir } = this.#options;
    const logger = recordingLogger();
    this.#file = await openSqliteFile(join(dir, `store-${++this.#stores}.db`), { logger });
    const scheduler = await createSqliteScheduler(this.#file, {
      controllers: new Map(manifest.controllers.map(({ name, scheduling }) => [name, scheduling])),
      clusters: new Set(["home"]),
      invoker: { invoke: ({ key }) => this.#run(key) },
      ...{ clock: systemClock, logger },
    });
    this.#scheduler = scheduler;
    const clusters = [{ name: "home", secrets: [secret] }];
    const app = createIngress({ manifest, clusters, scheduler, kv: this.#kv, clock: systemClock, logger });
    this.#fetch = async (path, init) => app.request(path, init as RequestInit);
  }

  async #run({ controller, name }: { controller: string; name: string }): Promise<ReconcileAnswer> {
    const { api, manifest } = this.#options;
    const declared = manifest.controllers.find((each) => each.name === controller)!;
    const key = `${pathOf(declared.relations[0]!.watch)}/${name}`;
    this.runs.set(key, (this.runs.get(key) ?? 0) + 1);
    const object = await api.find(key);
    this.#read.set(key, readOf(object));
    if (!object) return { apiVersion: API_VERSION, outcome: "gone" };
    const { uid, resourceVersion } = object.metadata;
    const action = { awaitChange: true } as const;
    return { apiVersion: API_VERSION, outcome: "success", action, observed: { uid, resourceVersion } };
  }
}

/** Where the objects of a watch of one namespace are. */
function pathOf({ resource, namespaces = [] }: Manifest["controllers"][number]["relations"][number]["watch"]): string {
  const { group, version, plural } = resource;
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${root}/namespaces/${namespaces[0]}/${plural}`;
}
