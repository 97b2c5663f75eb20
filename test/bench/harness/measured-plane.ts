import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ControlPlane, startControlPlane } from "../../cluster/control-plane/start.ts";
import { eventually } from "../../cluster/support/eventually.ts";
import { guardFolder } from "../../cluster/support/process-guard.ts";
import { AuditLog, auditPolicy } from "./audit-log.ts";
import { applyPatch, BenchClient } from "./client.ts";
import { documentsPath } from "./documents.ts";
import { readProcess } from "./process-table.ts";
import { World } from "./world.ts";

const crd = join(import.meta.dirname, "../../../examples/documents/document-crd.yaml");

/** A control plane that records the controller's requests, with the job's CRD. */
export class MeasuredPlane {
  readonly audit: AuditLog;
  readonly client: BenchClient;
  readonly world: World;
  readonly #dir: string;
  readonly #plane: ControlPlane;

  static async start(bin: string): Promise<MeasuredPlane> {
    const dir = mkdtempSync(join(tmpdir(), "sluice-bench-"));
    guardFolder(dir);
    const policy = join(dir, "audit-policy.yaml");
    writeFileSync(policy, JSON.stringify(auditPolicy));
    mkdirSync(join(dir, "state"));
    const plane = await startControlPlane({
      bin,
      apiServerArgs: new AuditLog(dir).arguments(policy),
      extraTokens: ['controller-token,controller,controller,"system:masters"'],
    });
    const measured = new MeasuredPlane(dir, plane);
    try {
      await measured.#prepare();
    } catch (error) {
      await measured.stop();
      throw error;
    }
    return measured;
  }

  private constructor(dir: string, plane: ControlPlane) {
    this.#dir = dir;
    this.#plane = plane;
    this.audit = new AuditLog(dir);
    this.client = new BenchClient(plane);
    this.world = new World(this.client);
  }

  /** What a controller gets: a user of its own, so that its requests can be told from ours, and a folder that lasts. */
  environment(): Record<string, string> {
    const path = join(this.#dir, "kubeconfig");
    writeFileSync(path, readFileSync(this.#plane.kubeconfig, "utf8").replace(this.#plane.token, "controller-token"));
    return { KUBECONFIG: path, STATE_DIR: join(this.#dir, "state") };
  }

  cpuSeconds(): { apiServer: number; etcd: number; controllerManager: number } {
    const pids = this.#plane.pids();
    const of = (pid: number) => readProcess(pid)?.cpuSeconds ?? 0;
    return { apiServer: of(pids.apiServer), etcd: of(pids.etcd), controllerManager: of(pids.controllerManager) };
  }

  async stop(): Promise<void> {
    this.world.stop();
    await this.client.close();
    await this.#plane.stop();
    rmSync(this.#dir, { recursive: true, force: true });
  }

  async #prepare(): Promise<void> {
    const definition = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/documents.example.com";
    await this.client.text(
      "PATCH",
      `${definition}?fieldManager=bench&force=true`,
      readFileSync(crd, "utf8"),
      applyPatch,
    );
    await eventually("Documents are served", 60_000, () => this.client.text("GET", documentsPath));
    // The garbage collector learns of a new kind only every 30 s: wait for it, lest it start amid a measurement.
    const watched = /apiserver_longrunning_requests\{[^}]*resource="documents"[^}]*verb="WATCH"[^}]*\} [1-9]/;
    await eventually("the garbage collector watches Documents", 60_000, async () =>
      watched.test(await this.client.text("GET", "/metrics")),
    );
    await this.world.synced;
  }
}
