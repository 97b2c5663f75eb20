import type { Case, Step } from "../case.ts";

const DEPLOYMENTS = "/apis/apps/v1/namespaces/{ns}/deployments";
const deployment = (spec: object = {}, container: object = {}, pod: object = {}): object => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "d" },
  spec: {
    replicas: 0,
    selector: { matchLabels: { a: "b" } },
    template: {
      metadata: { labels: { a: "b" } },
      spec: { containers: [{ name: "c", image: "x:1", ...container }], ...pod },
    },
    ...spec,
  },
});
const create: Step = { request: `POST ${DEPLOYMENTS}?fieldManager=m`, body: deployment(), keep: "d" };
const apply = (body: object): Step => ({ request: `PATCH ${DEPLOYMENTS}/d?fieldManager=m`, body, type: "apply" });

const rich = deployment(
  { strategy: { type: "Recreate" }, minReadySeconds: 5 },
  {
    env: [
      { name: "A", value: "1" },
      { name: "B", value: "" },
      { name: "N", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
    ],
    ports: [{ containerPort: 80, name: "http" }],
    resources: { requests: { cpu: "1000m", memory: "1024Mi" }, limits: { cpu: "1.5", memory: "2Gi" } },
    livenessProbe: { httpGet: { path: "/x", port: 80 } },
    volumeMounts: [{ name: "v", mountPath: "/v" }],
  },
  {
    volumes: [
      { name: "v", configMap: { name: "x" } },
      { name: "s", secret: { secretName: "s" } },
      { name: "e", emptyDir: {} },
    ],
    serviceAccountName: "sa",
  },
);

/** Deployments. */
export const deployments: readonly Case[] = [
  { name: "a Deployment's defaults are its creator's", steps: [create] },
  { name: "a rich Deployment's defaults", steps: [{ request: `POST ${DEPLOYMENTS}`, body: rich }] },
  { name: "a Deployment by apply, twice", steps: [apply(rich), apply(rich)] },
  {
    name: "a change of a Deployment's spec makes a new generation",
    steps: [
      create,
      { request: `PATCH ${DEPLOYMENTS}/d?fieldManager=n`, body: { spec: { replicas: 2 } }, type: "merge" },
    ],
  },
  {
    name: "a conflict over a container's image",
    steps: [
      apply(deployment()),
      { request: `PATCH ${DEPLOYMENTS}/d?fieldManager=n`, body: deployment({}, { image: "x:2" }), type: "apply" },
    ],
  },
  {
    name: "a Deployment's selector must match and stays",
    steps: [
      { request: `POST ${DEPLOYMENTS}`, body: deployment({ selector: { matchLabels: { x: "y" } } }) },
      create,
      {
        request: `PATCH ${DEPLOYMENTS}/d`,
        body: { spec: { selector: { matchLabels: { x: "y" } }, template: { metadata: { labels: { x: "y" } } } } },
        type: "merge",
      },
    ],
  },
  {
    name: "a Deployment without what it needs is a 422",
    steps: [
      {
        request: `POST ${DEPLOYMENTS}`,
        body: { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "d" }, spec: {} },
      },
    ],
  },
  {
    name: "a Deployment without a container is a 422",
    steps: [
      { request: `POST ${DEPLOYMENTS}`, body: deployment({}, {}, { containers: [] }) },
      { request: `POST ${DEPLOYMENTS}`, body: deployment({}, { name: "", image: "" }) },
    ],
  },
  {
    name: "a Deployment with negative replicas is a 422",
    steps: [{ request: `POST ${DEPLOYMENTS}`, body: deployment({ replicas: -1 }) }],
  },
  {
    name: "a Deployment's scale",
    steps: [
      create,
      { request: `GET ${DEPLOYMENTS}/d/scale`, anyVersion: true },
      {
        request: `PATCH ${DEPLOYMENTS}/d/scale?fieldManager=n`,
        body: { spec: { replicas: 3 } },
        type: "merge",
        anyVersion: true,
      },
      { request: `GET ${DEPLOYMENTS}/d` },
    ],
  },
  {
    name: "a Deployment with two containers of one name is a 422",
    steps: [
      {
        request: `POST ${DEPLOYMENTS}`,
        body: deployment(
          {},
          {},
          {
            containers: [
              { name: "c", image: "x:1" },
              { name: "c", image: "y:1" },
            ],
          },
        ),
      },
      {
        request: `POST ${DEPLOYMENTS}`,
        body: deployment({}, {}, { initContainers: [{ name: "c", image: "y:1" }] }),
      },
      {
        request: `PATCH ${DEPLOYMENTS}/d?fieldManager=m`,
        body: deployment(
          {},
          {},
          {
            containers: [
              { name: "c", image: "x:1" },
              { name: "c", image: "y:1" },
            ],
          },
        ),
        type: "apply",
      },
    ],
  },
  {
    name: "a Deployment that is recreated and rolled is a 422",
    steps: [
      { request: `POST ${DEPLOYMENTS}`, body: deployment({ strategy: { type: "Recreate", rollingUpdate: {} } }) },
      {
        request: `POST ${DEPLOYMENTS}`,
        body: deployment({ strategy: { type: "Recreate", rollingUpdate: { maxSurge: 1 } } }),
      },
      { request: `POST ${DEPLOYMENTS}`, body: deployment({ strategy: { type: "Other" } }) },
      { request: `POST ${DEPLOYMENTS}`, body: deployment({ strategy: {} }) },
    ],
  },
];
