import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type ControlPlane, startControlPlane } from "../../cluster/control-plane/start.ts";
import { eventually } from "../../cluster/support/eventually.ts";
import { applyPatch, BenchClient, type BenchObject, mergePatch } from "../harness/client.ts";
import { configMapsPath, documentNames, documentsPath, titleOf } from "../harness/documents.ts";
import { inParallel } from "../harness/pause.ts";

const crd = join(import.meta.dirname, "../../../examples/documents/document-crd.yaml");
const WIDTH = 64;

/** A control plane of its own, without an audit log, with Documents and the ConfigMaps that they own. */
export class BenchCluster {
  readonly plane: ControlPlane;
  readonly client: BenchClient;
  readonly #names: string[] = [];
  #version = 0;

  static async start(bin: string): Promise<BenchCluster> {
    const cluster = new BenchCluster(await startControlPlane({ bin }));
    const definition = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/documents.example.com";
    await cluster.client.text(
      "PATCH",
      `${definition}?fieldManager=bench&force=true`,
      readFileSync(crd, "utf8"),
      applyPatch,
    );
    await eventually("Documents are served", 60_000, () => cluster.client.text("GET", documentsPath));
    return cluster;
  }

  private constructor(plane: ControlPlane) {
    this.plane = plane;
    this.client = new BenchClient(plane);
  }

  get names(): readonly string[] {
    return this.#names;
  }

  /** Adds Documents with this much content until there are so many; with `children` each with its ConfigMap, as the job makes it. */
  async fill(count: number, size: number, children: boolean): Promise<void> {
    const added = documentNames(count).slice(this.#names.length);
    const content = "content ".repeat(Math.ceil(size / 8)).slice(0, size);
    await inParallel(added, WIDTH, async (name) => {
      const document = await this.client.json<BenchObject>("POST", `${documentsPath}?fieldManager=bench`, {
        ...{ apiVersion: "example.com/v1", kind: "Document", metadata: { name } },
        spec: { title: titleOf(name), content: `${name} ${content}` },
      });
      if (!children) return;
      const { uid } = document.metadata;
      const owner = { apiVersion: "example.com/v1", kind: "Document", name, uid, controller: true };
      await this.client.text("POST", `${configMapsPath}?fieldManager=documents`, {
        ...{ apiVersion: "v1", kind: "ConfigMap", metadata: { name, ownerReferences: [owner] } },
        data: { title: titleOf(name), content: `${name} ${content}` },
      });
    });
    this.#names.push(...added);
  }

  /** Changes a Document: another generation. */
  async change(name: string): Promise<void> {
    const patch = { spec: { title: `Title ${++this.#version}` } };
    await this.client.text("PATCH", `${documentsPath}/${name}?fieldManager=bench`, patch, mergePatch);
  }

  changeAll(): Promise<void> {
    return inParallel(this.#names, WIDTH, (name) => this.change(name));
  }

  /** Lists and watches of the two kinds so far, by whomever. */
  async requests(): Promise<number> {
    const text = await this.client.text("GET", "/metrics");
    const line =
      /^apiserver_request_total\{[^}]*resource="(?:documents|configmaps)"[^}]*verb="(?:LIST|WATCH)"[^}]*\} (\d+)/gm;
    return [...text.matchAll(line)].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  async stop(): Promise<void> {
    await this.client.close();
    await this.plane.stop();
  }
}
