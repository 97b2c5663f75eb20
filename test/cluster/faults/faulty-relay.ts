import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { connectKube, kubeConfigSource, type NodeTransport } from "../../../adapters/runtime/node/kube-config/index.ts";
import type { ResourceRef } from "../../../functions/contract/index.ts";
import { type Relay, startRelay } from "../../../infra/relay/relay.ts";
import { manifestOf, relationOf } from "../../relay/support/objects.ts";
import { secret } from "../../relay/support/scripted-ingress.ts";
import { recordingLogger } from "../../support/recording-logger.ts";
import { type Authority, createAuthority } from "../control-plane/certificates.ts";
import type { ClusterAccess } from "../control-plane/kubeconfig.ts";
import { eventually } from "../support/eventually.ts";
import type { KubeApi } from "../support/kube-api.ts";
import { FaultProxy } from "./fault-proxy.ts";
import { FunctionsUnderTest } from "./functions-under-test.ts";
import { createLeapingClock } from "./leaping-clock.ts";

export type FaultyRelayOptions = {
  access: Pick<ClusterAccess, "server" | "ca" | "token">;
  api: KubeApi;
  namespace: string;
  /** What it watches: a controller each. */
  resources: readonly ResourceRef[];
  /** Of any change, where it is not said. */
  predicate?: "generation" | "resourceVersion";
  /** Faults that are there when it starts. */
  before?: (proxy: FaultProxy) => void;
};

/** A relay whose way to a real API server leads through a proxy that breaks. */
export class FaultyRelay {
  readonly clock = createLeapingClock();
  readonly logger = recordingLogger();
  readonly functions: FunctionsUnderTest;
  readonly proxy: FaultProxy;
  readonly #dir = mkdtempSync(join(tmpdir(), "sluice-faults-"));
  readonly #authority: Authority;
  #token: string;
  #url = "";
  #transport!: NodeTransport;
  #relay!: Relay;

  private constructor({ access, api, namespace, resources, predicate = "resourceVersion" }: FaultyRelayOptions) {
    this.#token = access.token;
    this.#authority = createAuthority(this.#dir);
    this.proxy = new FaultProxy(access, this.#certificate(this.#authority));
    const watchOf = (resource: ResourceRef) => ({ resource, namespaces: [namespace] });
    const manifest = manifestOf(
      Object.fromEntries(resources.map((each) => [each.plural, [relationOf({ watch: watchOf(each), predicate })]])),
    );
    this.functions = new FunctionsUnderTest({ api, manifest, dir: this.#dir });
  }

  static async start(options: FaultyRelayOptions): Promise<FaultyRelay> {
    const rig = new FaultyRelay(options);
    await rig.functions.open();
    rig.#url = await rig.proxy.listen();
    options.before?.(rig.proxy);
    writeFileSync(join(rig.#dir, "shown.crt"), rig.#authority.ca);
    rig.useToken(rig.#token);
    const monotonic = () => rig.clock.monotonic();
    rig.#transport = await connectKube(kubeConfigSource(join(rig.#dir, "config")), { monotonic });
    rig.#begin();
    return rig;
  }

  /** Stops the relay as SIGTERM does, and starts another one after what happens meanwhile. */
  async restart(meanwhile: () => Promise<unknown>): Promise<void> {
    await this.#relay.stop();
    await meanwhile();
    this.#begin();
  }

  #begin(): void {
    this.#relay = startRelay({
      cluster: "home",
      transport: this.#transport,
      ingress: this.functions.ingress,
      secrets: [secret],
      ...{ clock: this.clock, logger: this.logger, random: Math.random },
    });
  }

  async stop(): Promise<void> {
    await this.#relay.stop();
    await this.#transport.close();
    await this.proxy.close();
    await this.functions.close();
    rmSync(this.#dir, { recursive: true, force: true });
  }

  get synced(): Promise<void> {
    return this.#relay.synced;
  }

  get ready(): boolean {
    return this.#relay.status().ready;
  }

  watch(plural: string) {
    const found = this.#relay.status().watches.find(({ resource }) => resource.split(".")[0] === plural);
    if (!found) throw new Error(`there is no watch of ${plural}`);
    return found;
  }

  /** How often it listed again, by cause; without those that never came. */
  relists(plural: string): Record<string, number> {
    return counted(this.watch(plural).relistsByCause);
  }

  reconnects(plural: string): Record<string, number> {
    return counted(this.watch(plural).reconnectsByCause);
  }

  /** Waits while time passes ten times as fast, so that backoffs take less of it. */
  hurried<T>(what: string, condition: () => T | Promise<T>, limitMs = 20_000) {
    return eventually(what, limitMs, () => {
      this.clock.leap(250);
      return condition();
    });
  }

  /** Waits until every watch is open and every key has run on what is there. Call it once the fault has been met. */
  async recovered(limitMs?: number): Promise<void> {
    await this.hurried(
      "every watch is in order, and every key ran on what is there",
      async () => {
        if (!this.ready) throw new Error("not ready");
        await this.functions.expectUpToDate();
        return true;
      },
      limitMs,
    );
  }

  /** What the kubeconfig says from now on. */
  useToken(token: string): void {
    this.#token = token;
    const cluster = { server: this.#url, "certificate-authority": "shown.crt" };
    writeFileSync(
      join(this.#dir, "config"),
      stringify({
        ...{ apiVersion: "v1", kind: "Config", "current-context": "test" },
        clusters: [{ name: "test", cluster }],
        users: [{ name: "relay", user: { token } }],
        contexts: [{ name: "test", context: { cluster: "test", user: "relay" } }],
      }),
    );
  }

  /** The proxy shows a certificate of another authority. `publish` writes that one where the kubeconfig has its own. */
  rotateAuthority(): { publish(): void } {
    const dir = mkdtempSync(join(this.#dir, "authority-"));
    const next = createAuthority(dir);
    this.proxy.show(this.#certificate(next));
    this.proxy.cut();
    return { publish: () => writeFileSync(join(this.#dir, "shown.crt"), next.ca) };
  }

  #certificate(authority: Authority) {
    return authority.issue("proxy", "/CN=proxy", "IP:127.0.0.1");
  }
}

function counted(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}
