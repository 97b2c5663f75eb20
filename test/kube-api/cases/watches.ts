import type { Case, Step } from "../case.ts";
import { CM, configMap, WIDGETS, widget } from "./samples.ts";

const create = (name: string, labels: object = { x: "1" }): Step => ({
  request: `POST ${CM}`,
  body: configMap(name, {}, { labels }),
  keep: name,
  quiet: true,
});
const relabel = (name: string, labels: object): Step => ({
  request: `PATCH ${CM}/${name}`,
  body: { metadata: { labels } },
  type: "merge",
  quiet: true,
});
const remove = (name: string): Step => ({ request: `DELETE ${CM}/${name}`, quiet: true });
const w = `${CM}?watch=true&labelSelector=x`;

/** Watches. */
export const watches: readonly Case[] = [
  {
    name: "a watch from a version gives what came after it",
    steps: [
      create("a"),
      create("b"),
      { watch: `${w}&resourceVersion={a.metadata.resourceVersion}`, name: "w" },
      relabel("b", { y: "2" }),
      remove("a"),
      { read: "w", events: 3 },
    ],
  },
  {
    name: "a deleted object comes with the version of its deletion",
    steps: [
      create("a"),
      { watch: `${w}&resourceVersion={a.metadata.resourceVersion}`, name: "w" },
      remove("a"),
      { read: "w", events: 1 },
    ],
  },
  {
    name: "a watch without a version begins with all objects",
    steps: [
      create("a"),
      create("b"),
      { watch: w, name: "w" },
      { read: "w", events: 2 },
      remove("b"),
      { read: "w", events: 1 },
    ],
  },
  {
    name: "an object that no longer matches is deleted for the watch",
    steps: [
      create("a"),
      { watch: `${w}&resourceVersion={a.metadata.resourceVersion}`, name: "w" },
      relabel("a", { x: null, z: "1" }),
      relabel("a", { x: "2" }),
      { read: "w", events: 2 },
    ],
  },
  {
    name: "a watch of one object",
    steps: [
      create("a"),
      create("b"),
      {
        watch: `${CM}?watch=1&fieldSelector=metadata.name%3Db&resourceVersion={a.metadata.resourceVersion}`,
        name: "w",
      },
      { read: "w", events: 1 },
    ],
  },
  {
    name: "a watch at an object's path is a get",
    steps: [create("a"), { watch: `${CM}/a?watch=true`, name: "w" }, { read: "w", events: 1 }],
  },
  {
    name: "a watch ends at its timeout",
    steps: [
      create("a"),
      { watch: `${w}&resourceVersion={a.metadata.resourceVersion}&timeoutSeconds=1`, name: "w" },
      { read: "w", events: "end" },
    ],
  },
  {
    name: "a streaming list ends in a bookmark",
    steps: [
      create("a"),
      create("b"),
      { watch: `${w}&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`, name: "w" },
      { read: "w", events: 3 },
      remove("a"),
      { read: "w", events: 1 },
    ],
  },
  {
    name: "a streaming list of nothing is a bookmark",
    steps: [
      {
        watch: `${w}&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&resourceVersion=`,
        name: "w",
      },
      { read: "w", events: 1 },
    ],
  },
  {
    name: "a streaming list without a match is refused",
    steps: [
      { request: `GET ${w}&sendInitialEvents=true&allowWatchBookmarks=true` },
      { request: `GET ${w}&resourceVersionMatch=NotOlderThan` },
      { request: `GET ${CM}?sendInitialEvents=true&resourceVersionMatch=NotOlderThan` },
    ],
  },
  {
    name: "no initial events from a version on",
    steps: [
      create("a"),
      {
        watch: `${w}&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion={a.metadata.resourceVersion}`,
        name: "w",
      },
      create("b"),
      { read: "w", events: 1 },
    ],
  },
  { name: "a watch from a version that is no number is refused", steps: [{ request: `GET ${w}&resourceVersion=x` }] },
  {
    name: "a watch of metadata alone",
    steps: [
      create("a"),
      {
        watch: `${w}&resourceVersion=`,
        name: "w",
        headers: { accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1" },
      },
      { read: "w", events: 1 },
      remove("a"),
      { read: "w", events: 1 },
    ],
  },
  {
    name: "a streaming list of metadata alone",
    steps: [
      create("a"),
      {
        watch: `${w}&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
        name: "w",
        headers: { accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1" },
      },
      { read: "w", events: 2 },
    ],
  },
  {
    name: "a watch as a table",
    steps: [
      { request: `POST ${WIDGETS}`, body: widget("a"), keep: "a", quiet: true },
      {
        watch: `${WIDGETS}?watch=true`,
        name: "w",
        headers: { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" },
      },
      { read: "w", events: 1 },
    ],
  },
  {
    name: "a watch of a custom resource in its other version",
    steps: [
      { request: `POST ${WIDGETS}`, body: widget("a"), keep: "a", quiet: true },
      { watch: "/apis/kube-api.example.com/v2/namespaces/{ns}/widgets?watch=true", name: "w" },
      { read: "w", events: 1 },
    ],
  },
  {
    name: "an update that changes nothing makes no event",
    steps: [
      create("a"),
      { watch: `${w}&resourceVersion={a.metadata.resourceVersion}`, name: "w" },
      relabel("a", { x: "1" }),
      relabel("a", { x: "2" }),
      { read: "w", events: 1 },
    ],
  },
  {
    name: "a deletion that waits is a change, the release of its finalizer the deletion",
    steps: [
      {
        request: `POST ${CM}`,
        body: configMap("a", {}, { labels: { x: "1" }, finalizers: ["example.com/f"] }),
        keep: "a",
        quiet: true,
      },
      { watch: `${w}&resourceVersion={a.metadata.resourceVersion}`, name: "w" },
      remove("a"),
      { request: `PATCH ${CM}/a`, body: { metadata: { finalizers: null } }, type: "merge", quiet: true },
      { read: "w", events: 2 },
    ],
  },
];
