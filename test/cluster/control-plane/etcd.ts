import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { etcdArguments } from "./server-arguments.ts";
import { ServerProcess } from "./server-process.ts";

/** The store behind an API server. */
export class Etcd {
  readonly url: string;
  readonly #dataDir: string;
  readonly #start: () => ServerProcess;
  #process: ServerProcess;

  constructor(options: { bin: string; dir: string; port: number; peerPort: number }) {
    const { bin, dir } = options;
    this.url = `http://127.0.0.1:${options.port}`;
    this.#dataDir = join(dir, "etcd");
    const peerUrl = `http://127.0.0.1:${options.peerPort}`;
    const args = etcdArguments({ dataDir: this.#dataDir, url: this.url, peerUrl });
    this.#start = () => new ServerProcess(join(bin, "etcd"), args, { name: "etcd", dir });
    this.#process = this.#start();
  }

  get process(): ServerProcess {
    return this.#process;
  }

  /** Copies its files as they are at one instant. It finds them as after a crash. */
  save(): void {
    this.#process.paused(() => {
      rmSync(`${this.#dataDir}-saved`, { recursive: true, force: true });
      cpSync(this.#dataDir, `${this.#dataDir}-saved`, { recursive: true });
    });
  }

  /** Goes on from the files that were saved. */
  async restore(): Promise<void> {
    await this.#process.kill();
    rmSync(this.#dataDir, { recursive: true });
    cpSync(`${this.#dataDir}-saved`, this.#dataDir, { recursive: true });
    this.#process = this.#start();
  }

  /** Forgets every revision but the newest, through the JSON gateway of its API. */
  async compact(): Promise<void> {
    const { header } = (await this.#post("/v3/kv/range", { key: btoa("\0"), limit: 1 })) as {
      header: { revision: string };
    };
    await this.#post("/v3/kv/compaction", { revision: header.revision, physical: true });
  }

  async #post(path: string, body: object): Promise<unknown> {
    const answer = await fetch(this.url + path, { method: "POST", body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`etcd ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }
}
