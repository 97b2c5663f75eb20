import type { Case, Step } from "../case.ts";
import { CM, configMap, ownedBy, WIDGETS, widget } from "./samples.ts";

const apply = (
  manager: string,
  rest: Record<string, unknown>,
  metadata: Record<string, unknown> = {},
  query = "",
): Step => ({
  request: `PATCH ${CM}/a?fieldManager=${manager}${query}`,
  body: configMap("a", rest, metadata),
  type: "apply",
});
const applyWidget = (
  manager: string,
  spec: Record<string, unknown>,
  metadata: Record<string, unknown> = {},
  query = "",
): Step => ({
  request: `PATCH ${WIDGETS}/a?fieldManager=${manager}${query}`,
  body: widget("a", spec, metadata),
  type: "apply",
});

/** Server-side apply of custom resources: lists by their keys, sets, atoms, and what has no schema. */
export const applyCustom: readonly Case[] = [
  {
    name: "apply of a custom resource sets defaults that nobody owns",
    steps: [
      applyWidget("m", { title: "t" }),
      applyWidget("m", { title: "t", size: 3 }),
      applyWidget("n", { size: 4, title: "t" }),
    ],
  },
  {
    name: "apply of an invalid custom resource is a 422",
    steps: [applyWidget("m", { title: "" }), applyWidget("m", {})],
  },
  {
    name: "apply of unknown fields",
    steps: [applyWidget("m", { title: "t", nonsense: 1 }), apply("m", { nonsense: 1 })],
  },
  {
    name: "apply merges a list by its keys",
    steps: [
      applyWidget("m", { title: "t", ports: [{ name: "a", port: 1 }] }),
      applyWidget("n", { title: "t", ports: [{ name: "b" }] }),
      applyWidget("m", { title: "t", ports: [{ name: "a", port: 2 }] }),
      applyWidget("m", { title: "t" }),
    ],
  },
  {
    name: "apply conflicts within a list by its keys",
    steps: [
      applyWidget("m", { title: "t", ports: [{ name: "a", port: 1 }] }),
      applyWidget("n", { title: "t", ports: [{ name: "a", port: 2 }] }),
    ],
  },
  {
    name: "apply keeps the order of a list by its keys",
    steps: [
      applyWidget("m", { title: "t", ports: [{ name: "a" }, { name: "c" }] }),
      applyWidget("n", { title: "t", ports: [{ name: "c" }, { name: "b" }, { name: "a" }] }),
      applyWidget("o", { title: "t", ports: [{ name: "d" }] }),
    ],
  },
  {
    name: "apply of a list with the same key twice is refused",
    steps: [applyWidget("m", { title: "t", ports: [{ name: "a" }, { name: "a" }] })],
  },
  {
    name: "apply merges a set",
    steps: [
      applyWidget("m", { title: "t", tags: ["a"] }),
      applyWidget("n", { title: "t", tags: ["b", "a"] }),
      applyWidget("m", { title: "t" }),
      applyWidget("n", { title: "t", tags: ["b"] }),
    ],
  },
  {
    name: "apply replaces an atomic list and conflicts over it",
    steps: [
      applyWidget("m", { title: "t", list: [{ a: "1" }] }),
      applyWidget("m", { title: "t", list: [{ a: "2" }] }),
      applyWidget("n", { title: "t", list: [{ a: "3" }] }),
    ],
  },
  {
    name: "apply replaces an atomic map",
    steps: [
      applyWidget("m", { title: "t", whole: { a: "1" } }),
      applyWidget("m", { title: "t", whole: { b: "1" } }),
      applyWidget("n", { title: "t", whole: { c: "1" } }),
    ],
  },
  {
    name: "apply merges where no schema says how",
    steps: [
      applyWidget("m", { title: "t", open: { a: { b: 1 }, l: [1] } }),
      applyWidget("n", { title: "t", open: { a: { c: 1 } } }),
      applyWidget("n", { title: "t", open: { l: [2] } }),
    ],
  },
  {
    name: "apply of empty lists and maps",
    steps: [
      applyWidget("m", { title: "t", map: {}, list: [], tags: [] }),
      applyWidget("m", { title: "t", map: {}, list: [], tags: [] }),
      applyWidget("m", { title: "t" }),
    ],
  },
  {
    name: "apply of nulls",
    steps: [
      applyWidget("m", { title: "t", maybe: null, color: null }),
      applyWidget("m", { title: "t", maybe: null }),
      applyWidget("m", { title: "t" }),
    ],
  },
  {
    name: "apply that leaves out a nested object",
    steps: [
      applyWidget("m", { title: "t", options: { level: "x", deep: { a: "1" } } }),
      applyWidget("m", { title: "t", options: { level: "x" } }),
      applyWidget("m", { title: "t" }),
    ],
  },
  {
    name: "apply of labels, annotations and finalizers",
    steps: [
      apply("m", {}, { labels: { a: "1" }, annotations: { b: "2" }, finalizers: ["example.com/f"] }),
      apply("n", {}, { labels: { c: "1" }, finalizers: ["example.com/g"] }),
      apply("m", {}),
      { request: `PATCH ${CM}/a`, body: { metadata: { finalizers: null } }, type: "merge", quiet: true },
    ],
  },
  {
    name: "apply of owner references",
    steps: [
      { request: `POST ${CM}`, body: configMap("o"), keep: "o", quiet: true },
      apply("m", {}, ownedBy("o")),
      apply("m", {}, ownedBy("o", "ConfigMap", { controller: true })),
      apply("n", {}, ownedBy("o", "ConfigMap", { controller: false })),
      apply("m", {}),
    ],
  },
  {
    name: "apply in the other version of a kind keeps one entry",
    steps: [
      applyWidget("m", { title: "t", color: "red" }),
      {
        request: "PATCH /apis/kube-api.example.com/v2/namespaces/{ns}/widgets/a?fieldManager=m",
        body: { ...widget("a", { title: "t", color: "green" }), apiVersion: "kube-api.example.com/v2" },
        type: "apply",
      },
      { request: `GET ${WIDGETS}/a` },
    ],
  },
  {
    name: "apply of a status at the object itself is ignored",
    steps: [
      {
        request: `PATCH ${WIDGETS}/a?fieldManager=m`,
        body: widget("a", { title: "t" }, {}, { status: { phase: "x" } }),
        type: "apply",
      },
    ],
  },
  {
    name: "apply to a deleting object",
    steps: [
      { request: `POST ${CM}`, body: configMap("a", {}, { finalizers: ["example.com/f"] }), quiet: true },
      { request: `DELETE ${CM}/a`, quiet: true },
      apply("m", { data: { a: "1" } }),
      apply("n", {}, { finalizers: ["example.com/g"] }),
      { request: `PATCH ${CM}/a`, body: { metadata: { finalizers: null } }, type: "merge" },
      apply("m", { data: { a: "1" } }),
    ],
  },
];
