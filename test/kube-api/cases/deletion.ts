import type { Case, Step } from "../case.ts";
import { CM, configMap, GADGETS, gadget, ownedBy, WIDGETS, widget } from "./samples.ts";

const F = { finalizers: ["example.com/f"] };
const cm = (name: string, metadata: Record<string, unknown> = {}): Step => ({
  request: `POST ${CM}`,
  body: configMap(name, {}, metadata),
  keep: name,
  quiet: true,
});
const release = (name: string): Step => ({
  request: `PATCH ${CM}/${name}`,
  body: { metadata: { finalizers: null } },
  type: "merge",
});
const gone = (name: string): Step => ({ request: `GET ${CM}/${name}`, until: { status: 404 } });
const del = (name: string, body?: unknown, query = ""): Step => ({
  request: `DELETE ${CM}/${name}${query}`,
  ...(body !== undefined && { body }),
});

/** Deletion: finalizers, preconditions, owners. */
export const deletion: readonly Case[] = [
  {
    name: "a finalizer holds the object",
    steps: [cm("a", F), del("a"), { request: `GET ${CM}/a` }, release("a"), gone("a")],
  },
  { name: "a second deletion changes nothing", steps: [cm("a", F), del("a"), del("a"), release("a")] },
  {
    name: "deletion of a custom resource makes a new generation",
    steps: [
      { request: `POST ${WIDGETS}`, body: widget("a", { title: "t" }, F) },
      { request: `DELETE ${WIDGETS}/a` },
      { request: `PATCH ${WIDGETS}/a`, body: { metadata: { finalizers: [] } }, type: "merge" },
    ],
  },
  {
    name: "a deleting object can be changed",
    steps: [
      cm("a", F),
      del("a"),
      { request: `PATCH ${CM}/a`, body: { data: { a: "1" } }, type: "merge" },
      release("a"),
    ],
  },
  {
    name: "a deleting object takes no new finalizer",
    steps: [
      cm("a", F),
      del("a"),
      {
        request: `PATCH ${CM}/a`,
        body: { metadata: { finalizers: ["example.com/f", "example.com/g"] } },
        type: "merge",
      },
      { request: `PATCH ${CM}/a`, body: { metadata: { finalizers: ["example.com/g"] } }, type: "merge" },
      release("a"),
    ],
  },
  {
    name: "the last finalizer's removal answers the object",
    steps: [
      cm("a", F),
      del("a"),
      { request: `PATCH ${CM}/a`, body: [{ op: "remove", path: "/metadata/finalizers/0" }], type: "patch" },
      gone("a"),
    ],
  },
  {
    name: "a create under the name of a deleting object is a 409",
    steps: [cm("a", F), del("a"), { request: `POST ${CM}`, body: configMap("a") }, release("a")],
  },
  { name: "delete with the right uid", steps: [cm("a"), del("a", { preconditions: { uid: "{a.metadata.uid}" } })] },
  {
    name: "delete with another uid is a 409",
    steps: [cm("a"), del("a", { preconditions: { uid: "00000000-0000-0000-0000-000000000001" } })],
  },
  {
    name: "delete with another version is a 409",
    steps: [cm("a"), del("a", { preconditions: { resourceVersion: "1" } })],
  },
  {
    name: "delete with a whole DeleteOptions",
    steps: [
      cm("a"),
      del("a", { apiVersion: "v1", kind: "DeleteOptions", gracePeriodSeconds: 0, propagationPolicy: "Background" }),
    ],
  },
  {
    name: "delete with an unknown policy is a 422",
    steps: [cm("a"), del("a", { propagationPolicy: "Nonsense" }), del("a", undefined, "?propagationPolicy=Nonsense")],
  },
  {
    name: "delete with both orphanDependents and a policy is a 422",
    steps: [cm("a"), del("a", { propagationPolicy: "Background", orphanDependents: true })],
  },
  { name: "delete with a body that is none is a 400", steps: [cm("a"), del("a", "nonsense")] },
  {
    name: "delete with a negative grace period is taken",
    steps: [cm("a"), del("a", undefined, "?gracePeriodSeconds=-1")],
  },
  { name: "delete as a dry run", steps: [cm("a"), del("a", undefined, "?dryRun=All"), { request: `GET ${CM}/a` }] },
  {
    name: "background deletion collects what it owned",
    steps: [
      cm("a"),
      cm("b", ownedBy("a")),
      cm("c", ownedBy("b")),
      del("a", undefined, "?propagationPolicy=Background"),
      gone("b"),
      gone("c"),
    ],
  },
  {
    name: "a dependent with another owner stays and drops the reference",
    steps: [
      cm("a"),
      cm("o"),
      cm("b", {
        ownerReferences: [...(ownedBy("a").ownerReferences as object[]), ...(ownedBy("o").ownerReferences as object[])],
      }),
      del("a"),
      { request: `GET ${CM}/b`, until: { absent: "metadata.ownerReferences.1" } },
    ],
  },
  {
    name: "foreground deletion waits for what blocks it",
    steps: [
      cm("a"),
      cm("b", { ...ownedBy("a", "ConfigMap", { blockOwnerDeletion: true }), ...F }),
      del("a", undefined, "?propagationPolicy=Foreground"),
      { request: `GET ${CM}/b`, until: { present: "metadata.deletionTimestamp" } },
      { request: `GET ${CM}/a` },
      release("b"),
      gone("a"),
    ],
  },
  {
    name: "foreground deletion does not wait for what does not block it",
    steps: [
      cm("a"),
      cm("b", { ...ownedBy("a"), ...F }),
      del("a", undefined, "?propagationPolicy=Foreground"),
      gone("a"),
      { request: `GET ${CM}/b`, until: { present: "metadata.deletionTimestamp" } },
      release("b"),
    ],
  },
  {
    name: "foreground deletion without dependents",
    steps: [cm("a"), del("a", undefined, "?propagationPolicy=Foreground"), gone("a")],
  },
  {
    name: "orphaning takes the reference away",
    steps: [
      cm("a"),
      cm("b", ownedBy("a")),
      del("a", { propagationPolicy: "Orphan" }),
      gone("a"),
      { request: `GET ${CM}/b` },
    ],
  },
  {
    name: "an object whose owner does not exist is collected",
    steps: [
      cm("b", {
        ownerReferences: [
          { apiVersion: "v1", kind: "ConfigMap", name: "none", uid: "00000000-0000-0000-0000-000000000001" },
        ],
      }),
      gone("b"),
    ],
  },
  {
    name: "a reference to another uid under an existing name is collected",
    steps: [
      cm("a"),
      cm("b", {
        ownerReferences: [
          { apiVersion: "v1", kind: "ConfigMap", name: "a", uid: "00000000-0000-0000-0000-000000000001" },
        ],
      }),
      gone("b"),
      { request: `GET ${CM}/a` },
    ],
  },
  {
    name: "a cluster-scoped owner",
    steps: [
      { request: `POST ${GADGETS}`, body: gadget("g-{id}"), keep: "g", quiet: true },
      cm("b", ownedBy("g", "Gadget", {}, "kube-api.example.com/v1")),
      { request: `DELETE ${GADGETS}/g-{id}` },
      gone("b"),
    ],
  },
  {
    name: "a collection is deleted",
    steps: [
      cm("a", { labels: { x: "1" } }),
      cm("b", { labels: { x: "1" }, ...F }),
      cm("c"),
      { request: `DELETE ${CM}?labelSelector=x` },
      gone("a"),
      { request: `GET ${CM}/b` },
      { request: `GET ${CM}/c` },
      release("b"),
    ],
  },
  {
    name: "a collection of custom resources is deleted",
    steps: [
      { request: `POST ${WIDGETS}`, body: widget("a"), quiet: true },
      { request: `DELETE ${WIDGETS}` },
      { request: `GET ${WIDGETS}` },
    ],
  },
  {
    name: "a namespace goes with what it holds",
    steps: [
      {
        request: "POST /api/v1/namespaces",
        body: { apiVersion: "v1", kind: "Namespace", metadata: { name: "sub-{id}" } },
      },
      { request: "POST /api/v1/namespaces/sub-{id}/configmaps", body: configMap("a"), quiet: true },
      { request: "DELETE /api/v1/namespaces/sub-{id}" },
      { request: "GET /api/v1/namespaces/sub-{id}", until: { status: 404 } },
      { request: "GET /api/v1/namespaces/sub-{id}/configmaps/a" },
    ],
  },
  {
    name: "a namespace waits for a finalizer in it, and takes nothing new",
    steps: [
      {
        request: "POST /api/v1/namespaces",
        body: { apiVersion: "v1", kind: "Namespace", metadata: { name: "sub-{id}" } },
        quiet: true,
      },
      { request: "POST /api/v1/namespaces/sub-{id}/configmaps", body: configMap("a", {}, F), quiet: true },
      { request: "DELETE /api/v1/namespaces/sub-{id}", quiet: true },
      { request: "POST /api/v1/namespaces/sub-{id}/configmaps", body: configMap("b") },
      { request: "PATCH /api/v1/namespaces/sub-{id}/configmaps/c?fieldManager=m", body: configMap("c"), type: "apply" },
      { request: "GET /api/v1/namespaces/sub-{id}/configmaps/a", until: { present: "metadata.deletionTimestamp" } },
      {
        request: "PATCH /api/v1/namespaces/sub-{id}/configmaps/a",
        body: { metadata: { finalizers: null } },
        type: "merge",
        quiet: true,
      },
      { request: "GET /api/v1/namespaces/sub-{id}", until: { status: 404 } },
    ],
  },
];
