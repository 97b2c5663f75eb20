import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Controller } from "sluice";
import { type Running, start } from "../../../adapters/runtime/node/start.ts";
import { eventually } from "../support/eventually.ts";
import type { KubeApi, KubeObject } from "../support/kube-api.ts";
import type { GatewayRelay } from "./gateway-relay.ts";
import { newRecorder, type Recorder, widgetsController } from "./widgets.ts";

export const LIMIT_MS = 30_000;
export const SECRET = `whsec_${Buffer.from("a secret of 32 bytes for tests!!").toString("base64")}`;

/** The Node runtime in this process, with a state folder that outlives it. */
export type Deployment = {
  readonly recorder: Recorder;
  readonly stateDir: string;
  running: Running;
  stop(): Promise<void>;
  restart(): Promise<void>;
  /** Stops it for good, and removes its state. */
  remove(): Promise<void>;
};

export async function deploy(
  kubeconfig: string,
  options: {
    controllers?: (recorder: Recorder) => Controller[];
    apart?: boolean;
    /** A relay apart whose gateway is the way to the API server. */
    through?: (controllers: readonly Controller[]) => Promise<GatewayRelay>;
  } = {},
): Promise<Deployment> {
  const recorder = newRecorder();
  const stateDir = mkdtempSync(join(tmpdir(), "sluice-state-"));
  const controllers = options.controllers?.(recorder) ?? [widgetsController(recorder)];
  const relay = await options.through?.(controllers);
  const way = relay ? { gateway: relay.url } : ({ kubeconfig, relay: options.apart ? "apart" : "embedded" } as const);
  const run = async () => {
    const running = await start({
      controllers,
      clusters: () => [{ name: "home", secrets: [SECRET], ...way }],
      stateDir,
      ...((options.apart || relay) && { listen: { port: relay?.ingressPort ?? 0, host: "127.0.0.1" } }),
      logLevel: "error",
    });
    await Promise.all([running.synced, relay?.synced()]);
    return running;
  };
  const deployment: Deployment = {
    recorder,
    stateDir,
    running: await run(),
    stop: () => deployment.running.stop(),
    async restart() {
      await deployment.stop();
      deployment.running = await run();
    },
    async remove() {
      await relay?.stop();
      await deployment.stop();
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
  return deployment;
}

/** Widgets of one namespace, as a person works on them. */
export function widgetsOf(api: KubeApi, namespace: string) {
  const widgets = `/apis/test.sluice.dev/v1/namespaces/${namespace}/widgets`;
  const configMaps = `/api/v1/namespaces/${namespace}/configmaps`;
  const secrets = `/api/v1/namespaces/${namespace}/secrets`;
  const ready = (name: string, text: string, limitMs = LIMIT_MS) =>
    eventually(`${name} is ready with "${text}"`, limitMs, async () => {
      const [widget, map] = await Promise.all([api.find(`${widgets}/${name}`), api.find(`${configMaps}/${name}`)]);
      return widget?.status?.text === text && map?.data?.text === text && { widget, map };
    });
  return {
    widgets,
    configMaps,
    secrets,
    ready,
    create: (name: string, spec: object): Promise<KubeObject> =>
      api.create(widgets, { apiVersion: "test.sluice.dev/v1", kind: "Widget", metadata: { name }, spec }),
    patch: (name: string, spec: object): Promise<KubeObject> => api.patch(`${widgets}/${name}`, { spec }),
    get: (name: string) => api.get(`${widgets}/${name}`),
    delete: (name: string) => api.delete(`${widgets}/${name}`),
    gone: (name: string) =>
      eventually(`${name} is gone`, LIMIT_MS, async () => !(await api.find(`${widgets}/${name}`))),
  };
}

/** The runs of one widget so far. */
export function runsOf({ recorder }: Pick<Deployment, "recorder">, namespace: string, name: string): Recorder["runs"] {
  return recorder.runs.filter(({ key }) => key === `${namespace}/${name}`);
}
