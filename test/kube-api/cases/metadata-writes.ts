import type { Case, Step } from "../case.ts";
import { CM, configMap, WIDGETS, widget } from "./samples.ts";

const LEASES = "/apis/coordination.k8s.io/v1/namespaces/{ns}/leases";
const cm: Step = { request: `POST ${CM}`, body: configMap("a"), quiet: true };
const wd: Step = { request: `POST ${WIDGETS}`, body: widget("a"), quiet: true };
const mergeCm = (metadata: object): Step => ({ request: `PATCH ${CM}/a`, body: { metadata }, type: "merge" });
const mergeWd = (metadata: object): Step => ({ request: `PATCH ${WIDGETS}/a`, body: { metadata }, type: "merge" });
const patch = (path: string, ...body: object[]): Step => ({ request: `PATCH ${path}/a`, body, type: "patch" });
const lease = (name: string, spec: object): Step => ({
  request: `POST ${LEASES}`,
  body: { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name }, spec },
});

/** What writes make of metadata that they may not set, and of times. */
export const metadataWrites: readonly Case[] = [
  {
    name: "a patch takes nobody out of the namespace",
    steps: [
      cm,
      wd,
      mergeCm({ namespace: null }),
      mergeCm({ namespace: "" }),
      mergeWd({ namespace: null }),
      mergeWd({ namespace: "", labels: { a: "b" } }),
      mergeWd({ namespace: "other" }),
      patch(CM, { op: "remove", path: "/metadata/namespace" }),
      { request: `GET ${CM}/a` },
      { request: `GET ${WIDGETS}/a` },
    ],
  },
  {
    name: "a Lease's times have microseconds",
    steps: [
      lease("a", { renewTime: "2020-01-01T00:00:00Z" }),
      lease("a", { acquireTime: "2020-01-01T00:00:00Z" }),
      lease("a", { renewTime: "x" }),
      lease("a", { renewTime: "" }),
      lease("b", { renewTime: "2020-01-01T00:00:00.000Z" }),
      lease("c", { renewTime: "2020-01-01T00:00:00.123456Z", acquireTime: "2020-01-01T02:00:00.123456+02:00" }),
      lease("d", { renewTime: null }),
      lease("e", { renewTime: "2020-13-01T00:00:00.123456Z" }),
    ],
  },
  {
    name: "a patch that takes the resourceVersion away",
    steps: [
      cm,
      wd,
      mergeCm({ resourceVersion: null, labels: { a: "b" } }),
      mergeWd({ resourceVersion: null, labels: { a: "b" } }),
      patch(WIDGETS, { op: "remove", path: "/metadata/resourceVersion" }),
      patch(CM, { op: "remove", path: "/metadata/resourceVersion" }),
      { request: `PATCH ${WIDGETS}/a/status`, body: { metadata: { resourceVersion: null } }, type: "merge" },
    ],
  },
  {
    name: "a resourceVersion that is no number is a 500",
    steps: [
      cm,
      wd,
      mergeCm({ resourceVersion: "abc" }),
      mergeWd({ resourceVersion: "abc" }),
      { request: `PUT ${CM}/a`, body: configMap("a", {}, { resourceVersion: "abc" }) },
      { request: `PUT ${WIDGETS}/a`, body: widget("a", { title: "t" }, { resourceVersion: "abc" }) },
      {
        request: `PATCH ${WIDGETS}/a?fieldManager=m`,
        body: widget("a", { title: "t" }, { resourceVersion: "abc" }),
        type: "apply",
      },
    ],
  },
  {
    name: "a field manager that cannot be printed is a 422",
    steps: [
      { request: `POST ${CM}?fieldManager=a%01b`, body: configMap("a") },
      { request: `PATCH ${CM}/a?fieldManager=a%0Ab`, body: configMap("a"), type: "apply" },
      { request: `POST ${CM}?fieldManager=%C3%A4`, body: configMap("b") },
    ],
  },
  {
    name: "the API server's two finalizers exclude each other",
    steps: [
      { request: `POST ${CM}`, body: configMap("a", {}, { finalizers: ["foregroundDeletion", "orphan"] }) },
      {
        request: `POST ${WIDGETS}`,
        body: widget("a", { title: "t" }, { finalizers: ["orphan", "foregroundDeletion"] }),
      },
    ],
  },
  {
    name: "a custom resource's finalizer twice",
    steps: [
      { request: `POST ${WIDGETS}`, body: widget("a", { title: "t" }, { finalizers: ["x.y/a", "x.y/a"] }) },
      {
        request: `PATCH ${WIDGETS}/b?fieldManager=m`,
        body: widget("b", { title: "t" }, { finalizers: ["x.y/a", "x.y/a"] }),
        type: "apply",
      },
      mergeWd({ finalizers: null }),
    ],
  },
  {
    name: "a custom resource's selfLink is dropped",
    steps: [
      { request: `POST ${WIDGETS}`, body: widget("a", { title: "t" }, { selfLink: "/x" }) },
      mergeWd({ selfLink: "/x", labels: { a: "b" } }),
      {
        request: `PATCH ${WIDGETS}/a?fieldManager=m`,
        body: widget("a", { title: "t" }, { selfLink: "/x" }),
        type: "apply",
      },
      {
        request: `PATCH ${WIDGETS}/b?fieldManager=m`,
        body: widget("b", { title: "t" }, { selfLink: "/x" }),
        type: "apply",
      },
      cm,
      mergeCm({ selfLink: "/x", labels: { a: "b" } }),
    ],
  },
  {
    name: "a JSON patch's path without a slash",
    steps: [
      wd,
      cm,
      patch(WIDGETS, { op: "add", path: "spec/title", value: "x" }),
      patch(WIDGETS, { op: "replace", path: "spec/title", value: "y" }),
      patch(WIDGETS, { op: "test", path: "spec/title", value: "y" }),
      patch(WIDGETS, { op: "remove", path: "spec/title" }),
      patch(WIDGETS, { op: "add", path: "spec", value: { title: "z" } }),
      patch(WIDGETS, { op: "remove", path: "spec" }),
      patch(CM, { op: "add", path: "data", value: { a: "b" } }),
      patch(CM, { op: "move", from: "metadata/name", path: "/data/x" }),
      patch(CM, { op: "copy", from: "kind", path: "/metadata/labels" }),
      { request: `GET ${WIDGETS}/a` },
    ],
  },
];
