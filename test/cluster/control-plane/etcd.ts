import { join } from "node:path";
import { etcdArguments } from "./server-arguments.ts";
import { ServerProcess } from "./server-process.ts";

/** The store behind an API server. */
export class Etcd {
  readonly url: string;
  readonly process: ServerProcess;

  constructor(options: { bin: string; dir: string; port: number; peerPort: number }) {
    const { bin, dir } = options;
    this.url = `http://127.0.0.1:${options.port}`;
    const peerUrl = `http://127.0.0.1:${options.peerPort}`;
    const args = etcdArguments({ dataDir: join(dir, "etcd"), url: this.url, peerUrl });
    this.process = new ServerProcess(join(bin, "etcd"), args, { name: "etcd", dir });
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
