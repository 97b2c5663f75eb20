import type { Case, Step } from "../case.ts";

const SERVICES = "/api/v1/namespaces/{ns}/services";
const EVENTS = "/api/v1/namespaces/{ns}/events";
const LEASES = "/apis/coordination.k8s.io/v1/namespaces/{ns}/leases";
const POLICIES = "/apis/networking.k8s.io/v1/namespaces/{ns}/networkpolicies";
const TABLE = { headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" } };

const service = (spec: object): object => ({ apiVersion: "v1", kind: "Service", metadata: { name: "s" }, spec });
const policy = (spec: object): object => ({
  apiVersion: "networking.k8s.io/v1",
  kind: "NetworkPolicy",
  metadata: { name: "p" },
  spec,
});
const lease = (spec: object, metadata: object = {}): object => ({
  apiVersion: "coordination.k8s.io/v1",
  kind: "Lease",
  metadata: { name: "l", ...metadata },
  spec,
});
const applyPolicy = (spec: object): Step => ({
  request: `PATCH ${POLICIES}/p?fieldManager=m`,
  body: policy(spec),
  type: "apply",
});
const applyService = (spec: object): Step => ({
  request: `PATCH ${SERVICES}/s?fieldManager=m`,
  body: service(spec),
  type: "apply",
});

/** Services, Events, Leases and NetworkPolicies: what they have of their own. */
export const services: readonly Case[] = [
  {
    name: "a Service gets an address and defaults",
    steps: [
      { request: `POST ${SERVICES}`, body: service({ selector: { a: "b" }, ports: [{ port: 80 }] }) },
      { request: `GET ${SERVICES}/s`, ...TABLE },
    ],
  },
  {
    name: "a Service without an address",
    steps: [{ request: `POST ${SERVICES}`, body: service({ clusterIP: "None", ports: [{ port: 80, name: "http" }] }) }],
  },
  {
    name: "a Service by apply, twice",
    steps: [
      applyService({ ports: [{ port: 80, targetPort: "http" }] }),
      applyService({ ports: [{ port: 80, targetPort: "http" }] }),
      applyService({ ports: [{ port: 81, targetPort: "http" }] }),
    ],
  },
  { name: "a Service without ports is a 422", steps: [{ request: `POST ${SERVICES}`, body: service({}) }] },
  {
    name: "a Service with mistakes is a 422",
    steps: [
      { request: `POST ${SERVICES}`, body: service({ ports: [{ port: 0 }] }) },
      { request: `POST ${SERVICES}`, body: service({ ports: [{ port: 80 }, { port: 81 }] }) },
      { request: `POST ${SERVICES}`, body: service({ type: "Nonsense", ports: [{ port: 80 }] }) },
    ],
  },
  {
    name: "a Service's name may begin with a digit",
    steps: [
      {
        request: `POST ${SERVICES}`,
        body: { apiVersion: "v1", kind: "Service", metadata: { name: "1a" }, spec: { ports: [{ port: 80 }] } },
      },
    ],
  },
  {
    name: "a Service keeps its address",
    steps: [
      { request: `POST ${SERVICES}`, body: service({ ports: [{ port: 80 }] }), keep: "s" },
      { request: `PUT ${SERVICES}/s`, body: service({ ports: [{ port: 81 }] }) },
      {
        request: `PATCH ${SERVICES}/s`,
        body: { spec: { clusterIP: "10.0.0.250", clusterIPs: ["10.0.0.250"] } },
        type: "merge",
      },
    ],
  },
  {
    name: "an ExternalName Service",
    steps: [{ request: `POST ${SERVICES}`, body: service({ type: "ExternalName", externalName: "example.com" }) }],
  },
  {
    name: "a Service's status",
    steps: [
      { request: `POST ${SERVICES}`, body: service({ ports: [{ port: 80 }] }), quiet: true },
      {
        request: `PATCH ${SERVICES}/s/status`,
        body: { status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } } },
        type: "merge",
      },
      {
        request: `PATCH ${SERVICES}/s/status`,
        body: {
          status: {
            conditions: [
              { type: "X", status: "True", reason: "R", message: "", lastTransitionTime: "2020-01-01T00:00:00Z" },
            ],
          },
        },
        type: "merge",
      },
    ],
  },
  {
    name: "an Event",
    steps: [
      {
        request: `POST ${EVENTS}`,
        body: {
          apiVersion: "v1",
          kind: "Event",
          metadata: { name: "e" },
          involvedObject: { kind: "ConfigMap", namespace: "{ns}", name: "a" },
          reason: "R",
          message: "m",
          type: "Normal",
        },
      },
      { request: `GET ${EVENTS}?fieldSelector=involvedObject.name%3Da,type%3DNormal` },
      { request: `GET ${EVENTS}?fieldSelector=involvedObject.name%3Db` },
    ],
  },
  {
    name: "an Event of another namespace is a 422",
    steps: [
      {
        request: `POST ${EVENTS}`,
        body: {
          apiVersion: "v1",
          kind: "Event",
          metadata: { name: "e" },
          involvedObject: { kind: "ConfigMap", namespace: "other", name: "a" },
        },
      },
    ],
  },
  {
    name: "an Event of events.k8s.io",
    steps: [
      {
        request: "POST /apis/events.k8s.io/v1/namespaces/{ns}/events",
        body: {
          apiVersion: "events.k8s.io/v1",
          kind: "Event",
          metadata: { name: "e" },
          eventTime: "2020-01-01T00:00:00.000000Z",
          reportingController: "example.com/c",
          reportingInstance: "i",
          action: "A",
          reason: "R",
          type: "Normal",
          note: "n",
          regarding: { kind: "ConfigMap", namespace: "{ns}", name: "a" },
        },
      },
      { request: `GET ${EVENTS}/e` },
      {
        request: "POST /apis/events.k8s.io/v1/namespaces/{ns}/events",
        body: { apiVersion: "events.k8s.io/v1", kind: "Event", metadata: { name: "f" } },
      },
    ],
  },
  {
    name: "a Lease",
    steps: [
      {
        request: `POST ${LEASES}`,
        body: lease({
          holderIdentity: "a",
          leaseDurationSeconds: 15,
          acquireTime: "2020-01-01T00:00:00.000000Z",
          renewTime: "2020-01-01T00:00:00.000000Z",
          leaseTransitions: 0,
        }),
        keep: "l",
      },
      {
        request: `PUT ${LEASES}/l`,
        body: lease({ holderIdentity: "b" }, { resourceVersion: "{l.metadata.resourceVersion}" }),
      },
      {
        request: `PUT ${LEASES}/l`,
        body: lease({ holderIdentity: "c" }, { resourceVersion: "{l.metadata.resourceVersion}" }),
      },
      { request: `PUT ${LEASES}/l`, body: lease({ holderIdentity: "d" }) },
      { request: `GET ${LEASES}`, ...TABLE },
    ],
  },
  {
    name: "a Lease with a bad duration is a 422",
    steps: [
      { request: `POST ${LEASES}`, body: lease({ leaseDurationSeconds: 0 }) },
      { request: `POST ${LEASES}`, body: lease({ leaseTransitions: -1 }) },
    ],
  },
  {
    name: "a Lease can be made by an update",
    steps: [{ request: `PUT ${LEASES}/l`, body: lease({ holderIdentity: "a" }) }],
  },
  {
    name: "a NetworkPolicy and its defaults",
    steps: [
      {
        request: `POST ${POLICIES}`,
        body: policy({
          podSelector: {},
          ingress: [{ from: [{ podSelector: { matchLabels: { a: "b" } } }], ports: [{ port: 80 }] }],
        }),
      },
      { request: `POST ${POLICIES}`, body: { ...policy({ podSelector: {}, egress: [{}] }), metadata: { name: "q" } } },
      { request: `GET ${POLICIES}`, ...TABLE },
    ],
  },
  {
    name: "a NetworkPolicy with an empty list changes at every apply",
    steps: [
      applyPolicy({ podSelector: {}, ingress: [] }),
      applyPolicy({ podSelector: {}, ingress: [] }),
      applyPolicy({ podSelector: {}, ingress: [] }),
    ],
  },
  {
    name: "a NetworkPolicy without an empty list does not",
    steps: [
      applyPolicy({ podSelector: {}, policyTypes: ["Ingress"] }),
      applyPolicy({ podSelector: {}, policyTypes: ["Ingress"] }),
    ],
  },
  {
    name: "a NetworkPolicy with an empty list of peers changes at every apply",
    steps: [
      applyPolicy({ podSelector: {}, ingress: [{ from: [] }] }),
      applyPolicy({ podSelector: {}, ingress: [{ from: [] }] }),
    ],
  },
];
