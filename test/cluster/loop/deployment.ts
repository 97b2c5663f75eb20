import type { ObjectRef } from "../../../functions/contract/index.ts";
import type { Account } from "../gateway/accounts.ts";
import { eventually } from "../support/eventually.ts";
import type { KubeApi, KubeObject } from "../support/kube-api.ts";
import type { Recorder } from "./widgets.ts";

export const LIMIT_MS = 30_000;
export const SECRET = `whsec_${Buffer.from("a secret of 32 bytes for tests!!").toString("base64")}`;

/** The gateway that functions without credentials are told of, for a relay to open. */
export type GatewayDoor = { port: number; serviceAccount: Account };

/** Functions on whatever platform, with a state that outlives them. */
export type Deployment = {
  readonly recorder: Recorder;
  /** Where they listen to a relay that is apart. */
  readonly url: string;
  /** Their way to the API server, where they have no credentials of its cluster. */
  readonly gateway?: GatewayDoor;
  /** What the scheduler holds of a key. */
  held(key: ObjectRef): Held | undefined;
  /** The key's failure record in the key-value store. */
  recordOf(key: ObjectRef): Promise<FailureRecord | undefined>;
  /** Stops them for good, and removes their state. */
  remove(): Promise<void>;
};

export type Held = { attempt: number; overBudget: boolean };
export type FailureRecord = { attempt: number; lastError: string };

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

/** The runs of one object so far. */
export function runsOf({ recorder }: Pick<Deployment, "recorder">, namespace: string, name: string): Recorder["runs"] {
  return recorder.runs.filter(({ key }) => key === `${namespace}/${name}`);
}
