import type { Case, Step } from "../case.ts";
import { CM, configMap, WIDGETS, widget } from "./samples.ts";

const cm: Step = {
  request: `POST ${CM}`,
  body: configMap("a", { data: { k: "v" } }, { annotations: { "example.com/x": "c" } }),
  keep: "a",
  quiet: true,
};
const wd: Step = {
  request: `POST ${WIDGETS}`,
  body: widget("a", { title: "t", tags: ["x", "y"], ports: [{ name: "p" }] }),
  keep: "a",
  quiet: true,
};
const json = (...operations: unknown[]): Step => ({ request: `PATCH ${CM}/a`, body: operations, type: "patch" });
const jsonWidget = (...operations: unknown[]): Step => ({
  request: `PATCH ${WIDGETS}/a`,
  body: operations,
  type: "patch",
});
const merge = (body: unknown): Step => ({ request: `PATCH ${CM}/a`, body, type: "merge" });
const mergeWidget = (body: unknown): Step => ({ request: `PATCH ${WIDGETS}/a`, body, type: "merge" });

/** JSON patch and JSON merge patch. */
export const patches: readonly Case[] = [
  {
    name: "JSON patch adds, replaces and removes",
    steps: [
      cm,
      json(
        { op: "add", path: "/data/x", value: "1" },
        { op: "replace", path: "/data/k", value: "w" },
        { op: "remove", path: "/metadata/annotations/example.com~1x" },
      ),
    ],
  },
  {
    name: "JSON patch moves and copies",
    steps: [
      cm,
      json({ op: "copy", from: "/data/k", path: "/data/l" }, { op: "move", from: "/data/k", path: "/data/m" }),
    ],
  },
  {
    name: "JSON patch with a test that holds",
    steps: [cm, json({ op: "test", path: "/data/k", value: "v" }, { op: "add", path: "/data/x", value: "1" })],
  },
  {
    name: "JSON patch with a test that fails is a 422",
    steps: [
      cm,
      json({ op: "test", path: "/data/k", value: "other" }, { op: "add", path: "/data/x", value: "1" }),
      { request: `GET ${CM}/a` },
    ],
  },
  {
    name: "JSON patch with a test of the uid",
    steps: [
      cm,
      json(
        { op: "test", path: "/metadata/uid", value: "{a.metadata.uid}" },
        { op: "add", path: "/data/x", value: "1" },
      ),
      json({ op: "test", path: "/metadata/uid", value: "00000000-0000-0000-0000-000000000001" }),
    ],
  },
  {
    name: "JSON patch with a test of what is absent is a 422",
    steps: [cm, json({ op: "test", path: "/data/none", value: "v" })],
  },
  {
    name: "JSON patch with a test of null for what is absent holds",
    steps: [
      cm,
      json(
        { op: "test", path: "/metadata/finalizers", value: null },
        { op: "add", path: "/metadata/finalizers", value: ["example.com/f"] },
      ),
      json({ op: "test", path: "/metadata/finalizers", value: null }),
      json(
        { op: "test", path: "/metadata/finalizers/0", value: "example.com/f" },
        { op: "remove", path: "/metadata/finalizers/0" },
      ),
    ],
  },
  { name: "JSON patch that removes what is absent is a 422", steps: [cm, json({ op: "remove", path: "/data/none" })] },
  {
    name: "JSON patch that replaces an absent field adds it",
    steps: [cm, json({ op: "replace", path: "/data/none", value: "x" })],
  },
  {
    name: "JSON patch that adds below what is absent is a 422",
    steps: [cm, json({ op: "add", path: "/none/x", value: "x" })],
  },
  {
    name: "JSON patch that adds to a list",
    steps: [
      wd,
      jsonWidget({ op: "add", path: "/spec/tags/-", value: "z" }),
      jsonWidget({ op: "add", path: "/spec/tags/0", value: "0" }),
    ],
  },
  {
    name: "JSON patch past the end of a list is a 422",
    steps: [
      wd,
      jsonWidget({ op: "add", path: "/spec/tags/9", value: "z" }),
      jsonWidget({ op: "remove", path: "/spec/tags/9" }),
    ],
  },
  { name: "JSON patch with an unknown operation is refused", steps: [cm, json({ op: "nonsense", path: "/data/k" })] },
  {
    name: "JSON patch that is no list is a 400",
    steps: [cm, { request: `PATCH ${CM}/a`, body: { op: "add" }, type: "patch" }],
  },
  {
    name: "JSON patch that is no JSON is a 400",
    steps: [cm, { request: `PATCH ${CM}/a`, body: "nonsense", type: "patch" }],
  },
  { name: "JSON patch of nothing writes nothing", steps: [cm, json()] },
  {
    name: "JSON patch with a stale resourceVersion is a 409",
    steps: [
      cm,
      json(
        { op: "replace", path: "/metadata/resourceVersion", value: "1" },
        { op: "add", path: "/data/x", value: "1" },
      ),
    ],
  },
  {
    name: "JSON patch that makes the object invalid is a 422",
    steps: [wd, jsonWidget({ op: "replace", path: "/spec/title", value: "" })],
  },
  {
    name: "JSON patch that gives a built-in kind a wrong type",
    steps: [cm, json({ op: "replace", path: "/data/k", value: 1 })],
  },
  {
    name: "JSON patch of the name is refused",
    steps: [cm, json({ op: "replace", path: "/metadata/name", value: "b" })],
  },
  { name: "merge patch sets and removes", steps: [cm, merge({ data: { k: null, x: "1" } })] },
  { name: "merge patch of what is already so writes nothing", steps: [cm, merge({ data: { k: "v" } })] },
  { name: "merge patch replaces lists", steps: [wd, mergeWidget({ spec: { tags: ["z"] } })] },
  {
    name: "merge patch with a stale resourceVersion is a 409",
    steps: [cm, merge({ metadata: { resourceVersion: "1" }, data: { x: "1" } })],
  },
  {
    name: "merge patch with another uid is a 422",
    steps: [
      cm,
      merge({ metadata: { uid: "00000000-0000-0000-0000-000000000001" }, data: { x: "1" } }),
      wd,
      mergeWidget({ metadata: { uid: "00000000-0000-0000-0000-000000000001" }, spec: { title: "x" } }),
    ],
  },
  { name: "merge patch of an absent object is a 404", steps: [merge({ data: {} })] },
  {
    name: "merge patch that is no object is a 400",
    steps: [cm, merge([]), { request: `PATCH ${CM}/a`, body: "nonsense", type: "merge" }],
  },
  {
    name: "merge patch of the kind is refused",
    steps: [cm, merge({ kind: "Nonsense" }), wd, mergeWidget({ kind: "Gadget" })],
  },
  {
    name: "merge patch of the name is refused",
    steps: [cm, merge({ metadata: { name: "b" } }), wd, mergeWidget({ metadata: { name: "b" } })],
  },
  { name: "merge patch of the namespace is refused", steps: [cm, merge({ metadata: { namespace: "other" } })] },
  { name: "merge patch makes a new generation", steps: [wd, mergeWidget({ spec: { title: "x" } })] },
  { name: "merge patch drops unknown fields with a warning", steps: [wd, mergeWidget({ spec: { nonsense: 1 } })] },
  {
    name: "a patch of an unknown type is a 415",
    steps: [
      cm,
      { request: `PATCH ${CM}/a`, body: {}, type: "json" },
      { request: `PATCH ${WIDGETS}/a`, body: {}, type: "json" },
    ],
  },
  {
    name: "a strategic merge patch of a custom resource is a 415",
    steps: [wd, { request: `PATCH ${WIDGETS}/a`, body: {}, type: "strategic" }],
  },
  { name: "force is not for patches", steps: [cm, { request: `PATCH ${CM}/a?force=true`, body: {}, type: "merge" }] },
];
