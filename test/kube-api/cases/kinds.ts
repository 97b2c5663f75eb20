import type { Case } from "../case.ts";
import { CM, configMap, SECRETS, secret } from "./samples.ts";

const NS = "/api/v1/namespaces";
const SA = "/api/v1/namespaces/{ns}/serviceaccounts";
const TABLE = { headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" } };

/** ConfigMaps, Secrets, Namespaces and ServiceAccounts: what they have of their own. */
export const kinds: readonly Case[] = [
  {
    name: "a ConfigMap's bad keys are a 422",
    steps: [
      { request: `POST ${CM}`, body: configMap("a", { data: { "a b": "x" } }) },
      { request: `POST ${CM}`, body: configMap("a", { data: { "..": "x" } }) },
      { request: `POST ${CM}`, body: configMap("a", { data: { k: "x" }, binaryData: { k: "eA==" } }) },
    ],
  },
  {
    name: "a ConfigMap that is too large is a 422",
    steps: [{ request: `POST ${CM}`, body: configMap("a", { data: { k: "x".repeat(1048577) } }) }],
  },
  {
    name: "a ConfigMap's binaryData is base64",
    steps: [
      { request: `POST ${CM}`, body: configMap("a", { binaryData: { k: "eA==" } }) },
      { request: `POST ${CM}`, body: configMap("b", { binaryData: { k: "!" } }) },
    ],
  },
  {
    name: "an immutable ConfigMap cannot be changed",
    steps: [
      { request: `POST ${CM}`, body: configMap("a", { data: { k: "1" }, immutable: true }), quiet: true },
      { request: `PATCH ${CM}/a`, body: { data: { k: "2" } }, type: "merge" },
      { request: `PATCH ${CM}/a`, body: { immutable: null }, type: "merge" },
      { request: `PATCH ${CM}/a`, body: { metadata: { labels: { x: "1" } } }, type: "merge" },
    ],
  },
  {
    name: "a Secret has a type that cannot be changed",
    steps: [
      { request: `POST ${SECRETS}`, body: secret("s", { data: { k: "eA==" } }) },
      { request: `PATCH ${SECRETS}/s`, body: { type: "other" }, type: "merge" },
      { request: `POST ${SECRETS}`, body: secret("u", { type: "example.com/x" }) },
    ],
  },
  {
    name: "a Secret of a known type needs its keys",
    steps: [
      { request: `POST ${SECRETS}`, body: secret("s", { type: "kubernetes.io/tls" }) },
      { request: `POST ${SECRETS}`, body: secret("s", { type: "kubernetes.io/basic-auth" }) },
      {
        request: `POST ${SECRETS}`,
        body: secret("s", { type: "kubernetes.io/dockerconfigjson", data: { ".dockerconfigjson": "eA==" } }),
      },
    ],
  },
  {
    name: "a Secret's bad base64 is a 400",
    steps: [{ request: `POST ${SECRETS}`, body: secret("s", { data: { k: "!" } }) }],
  },
  {
    name: "a Secret's stringData by apply",
    steps: [
      { request: `PATCH ${SECRETS}/s?fieldManager=m`, body: secret("s", { stringData: { k: "v" } }), type: "apply" },
      { request: `PATCH ${SECRETS}/s?fieldManager=m`, body: secret("s", { stringData: { k: "v" } }), type: "apply" },
    ],
  },
  {
    name: "a Secret by field selector",
    steps: [
      { request: `POST ${SECRETS}`, body: secret("s", { type: "example.com/x" }), quiet: true },
      { request: `GET ${SECRETS}?fieldSelector=type%3Dexample.com/x` },
    ],
  },
  {
    name: "a namespace has its name as a label",
    steps: [
      { request: `POST ${NS}`, body: { apiVersion: "v1", kind: "Namespace", metadata: { name: "sub-{id}" } } },
      { request: `GET ${NS}?fieldSelector=metadata.name%3Dsub-{id}`, ...TABLE },
      { request: `DELETE ${NS}/sub-{id}` },
    ],
  },
  {
    name: "a namespace's bad name is a 422",
    steps: [{ request: `POST ${NS}`, body: { apiVersion: "v1", kind: "Namespace", metadata: { name: "a.b" } } }],
  },
  {
    name: "a namespace can be labelled",
    steps: [
      { request: `PATCH ${NS}/{ns}`, body: { metadata: { labels: { x: "1" } } }, type: "merge" },
      {
        request: `PATCH ${NS}/{ns}?fieldManager=m`,
        body: { apiVersion: "v1", kind: "Namespace", metadata: { name: "{ns}", labels: { y: "1" } } },
        type: "apply",
      },
    ],
  },
  {
    name: "a namespace that cannot be deleted",
    steps: [{ request: `DELETE ${NS}/default` }, { request: `DELETE ${NS}/kube-system` }],
  },
  {
    name: "a collection of namespaces cannot be deleted",
    steps: [{ request: `DELETE ${NS}?labelSelector=none%3D{id}` }],
  },
  { name: "an absent namespace", steps: [{ request: `GET ${NS}/none-{id}` }] },
  {
    name: "a ServiceAccount",
    steps: [
      {
        request: `POST ${SA}`,
        body: {
          apiVersion: "v1",
          kind: "ServiceAccount",
          metadata: { name: "a" },
          automountServiceAccountToken: false,
          imagePullSecrets: [{ name: "x" }],
        },
      },
      {
        request: `PATCH ${SA}/a?fieldManager=m`,
        body: { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "a" }, imagePullSecrets: [{ name: "y" }] },
        type: "apply",
      },
      { request: `GET ${SA}/a`, ...TABLE },
    ],
  },
];
