import type { Case, Step } from "../case.ts";
import { CM, CRDS, configMap, GADGETS, ownedBy, SECRETS, secret, WIDGETS, WIDGETS_V2, widget } from "./samples.ts";

const NS = "/api/v1/namespaces";
const SA = `${NS}/{ns}/serviceaccounts`;
const TABLE = { headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" } };
const cm: Step = { request: `POST ${CM}`, body: configMap("a", { data: { k: "v" } }), keep: "a", quiet: true };
const wd: Step = { request: `POST ${WIDGETS}`, body: widget("a"), keep: "a", quiet: true };

/** What the other files leave open. */
export const more: readonly Case[] = [
  {
    name: "a field selector that a kind with its own has not",
    steps: [
      { request: `GET ${SECRETS}?fieldSelector=data.x%3Da` },
      { request: `GET ${NS}?fieldSelector=metadata.namespace%3Da` },
      { request: `GET ${GADGETS}?fieldSelector=metadata.namespace%3Da` },
    ],
  },
  {
    name: "a namespace by its phase",
    steps: [{ request: `GET ${NS}?fieldSelector=status.phase%3DActive,metadata.name%3D{ns}` }],
  },
  {
    name: "an update of a custom resource with another uid",
    steps: [
      wd,
      {
        request: `PUT ${WIDGETS}/a`,
        body: widget(
          "a",
          { title: "t" },
          { uid: "00000000-0000-0000-0000-000000000001", resourceVersion: "{a.metadata.resourceVersion}" },
        ),
      },
      {
        request: `PUT ${WIDGETS}/a/status`,
        body: widget(
          "a",
          { title: "t" },
          { uid: "00000000-0000-0000-0000-000000000001", resourceVersion: "{a.metadata.resourceVersion}" },
        ),
      },
    ],
  },
  {
    name: "an update of a custom resource with a stale version",
    steps: [wd, { request: `PUT ${WIDGETS}/a`, body: widget("a", { title: "t" }, { resourceVersion: "1" }) }],
  },
  {
    name: "a delete of a custom resource with another uid",
    steps: [
      wd,
      { request: `DELETE ${WIDGETS}/a`, body: { preconditions: { uid: "00000000-0000-0000-0000-000000000001" } } },
    ],
  },
  {
    name: "an owner reference's flags by update",
    steps: [
      { ...cm, request: `POST ${CM}` },
      {
        request: `POST ${CM}`,
        body: configMap("b", {}, ownedBy("a", "ConfigMap", { controller: true, blockOwnerDeletion: false })),
        keep: "b",
      },
      { request: `PATCH ${CM}/b`, body: { metadata: { ownerReferences: [] } }, type: "merge" },
    ],
  },
  {
    name: "nulls in a built-in kind",
    steps: [
      { request: `POST ${CM}`, body: configMap("a", { data: { k: null } }) },
      { request: `PATCH ${CM}/a`, body: { data: null }, type: "merge" },
    ],
  },
  {
    name: "a merge patch that adds a nested null",
    steps: [
      wd,
      {
        request: `PATCH ${WIDGETS}/a`,
        body: { spec: { options: { level: null }, open: { a: null, b: 1 } } },
        type: "merge",
      },
    ],
  },
  {
    name: "numbers of several kinds",
    steps: [
      {
        request: `POST ${WIDGETS}`,
        body: '{"apiVersion":"kube-api.example.com/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"title":"t","size":5.0,"ratio":1e1,"open":{"big":1234567890123,"float":0.1}}}',
      },
    ],
  },
  {
    name: "int-or-string, maps and lists as they are given",
    steps: [
      {
        request: `POST ${WIDGETS}`,
        body: widget("a", {
          title: "t",
          port: "http",
          map: { a: "1" },
          whole: { b: "2" },
          list: [{ a: "1" }, { b: "2" }],
        }),
      },
    ],
  },
  {
    name: "a status by JSON patch where there is none",
    steps: [
      wd,
      {
        request: `PATCH ${WIDGETS}/a/status`,
        body: [{ op: "replace", path: "/status", value: { phase: "x" } }],
        type: "patch",
      },
      { request: `PATCH ${WIDGETS}/a/status`, body: [{ op: "add", path: "/status/phase", value: "y" }], type: "patch" },
    ],
  },
  {
    name: "a status patch below an absent status is a 422",
    steps: [
      wd,
      { request: `PATCH ${WIDGETS}/a/status`, body: [{ op: "add", path: "/status/phase", value: "y" }], type: "patch" },
    ],
  },
  {
    name: "a status with lists by keys",
    steps: [
      wd,
      {
        request: `PATCH ${WIDGETS}/a/status`,
        body: {
          status: {
            conditions: [
              { type: "A", status: "True" },
              { type: "A", status: "False" },
            ],
          },
        },
        type: "merge",
      },
      {
        request: `PATCH ${WIDGETS}/a/status`,
        body: {
          status: {
            conditions: [
              { type: "A", status: "True" },
              { type: "B", status: "False" },
            ],
          },
        },
        type: "merge",
      },
    ],
  },
  {
    name: "a namespace's status is not written by its update",
    steps: [
      {
        request: `PATCH ${NS}/{ns}`,
        body: { status: { phase: "Terminating" }, spec: { finalizers: [] } },
        type: "merge",
      },
    ],
  },
  {
    name: "a ServiceAccount by apply, twice",
    steps: [
      {
        request: `PATCH ${SA}/a?fieldManager=m`,
        body: {
          apiVersion: "v1",
          kind: "ServiceAccount",
          metadata: { name: "a", annotations: { b: "c" } },
          secrets: [{ name: "s" }],
        },
        type: "apply",
      },
      {
        request: `PATCH ${SA}/a?fieldManager=m`,
        body: {
          apiVersion: "v1",
          kind: "ServiceAccount",
          metadata: { name: "a", annotations: { b: "c" } },
          secrets: [{ name: "s" }],
        },
        type: "apply",
      },
    ],
  },
  {
    name: "a table of Events",
    steps: [
      {
        request: `POST ${NS}/{ns}/events`,
        body: {
          apiVersion: "v1",
          kind: "Event",
          metadata: { name: "e" },
          involvedObject: { kind: "ConfigMap", namespace: "{ns}", name: "a", fieldPath: "data" },
          reason: "R",
          message: "m",
          type: "Normal",
          source: { component: "c" },
          count: 3,
        },
        quiet: true,
      },
      { request: `GET ${NS}/{ns}/events`, ...TABLE },
      { request: "GET /apis/events.k8s.io/v1/namespaces/{ns}/events", ...TABLE },
    ],
  },
  { name: "a table of a CRD", steps: [{ request: `GET ${CRDS}?fieldSelector=metadata.name%3Dnone`, ...TABLE }] },
  {
    name: "a create and a patch in the other version",
    steps: [
      {
        request: `POST ${WIDGETS_V2}`,
        body: { ...widget("a", { title: "t" }, { labels: { x: "1" } }), apiVersion: "kube-api.example.com/v2" },
      },
      { request: `PATCH ${WIDGETS_V2}/a`, body: { spec: { title: "u" } }, type: "merge" },
      { request: `PATCH ${WIDGETS}/a`, body: { metadata: { labels: { x: null } } }, type: "merge" },
    ],
  },
  {
    name: "a Secret that was immutable",
    steps: [
      { request: `POST ${SECRETS}`, body: secret("s", { immutable: true, data: { a: "eA==" } }) },
      { request: `PATCH ${SECRETS}/s`, body: { stringData: { a: "y" } }, type: "merge" },
      { request: `DELETE ${SECRETS}/s` },
    ],
  },
  {
    name: "an annotation key with capital letters and a label without a value",
    steps: [
      {
        request: `POST ${CM}`,
        body: configMap("a", {}, { annotations: { "Example.com/A": "" }, labels: { "example.com/a": "" } }),
      },
    ],
  },
  {
    name: "a deletion as a dry run with a finalizer",
    steps: [
      { request: `POST ${CM}`, body: configMap("a", {}, { finalizers: ["example.com/f"] }), quiet: true },
      { request: `DELETE ${CM}/a?dryRun=All` },
      { request: `PATCH ${CM}/a`, body: { metadata: { finalizers: null } }, type: "merge", quiet: true },
    ],
  },
  {
    name: "a foreground deletion of a custom resource",
    steps: [
      wd,
      {
        request: `POST ${CM}`,
        body: configMap("b", {}, ownedBy("a", "Widget", { blockOwnerDeletion: true }, "kube-api.example.com/v1")),
        quiet: true,
      },
      { request: `DELETE ${WIDGETS}/a?propagationPolicy=Foreground` },
      { request: `GET ${WIDGETS}/a`, until: { status: 404 } },
      { request: `GET ${CM}/b`, until: { status: 404 } },
    ],
  },
];
