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
const post: Step = { request: `POST ${CM}`, body: configMap("a", { data: { k: "v" } }), keep: "a", quiet: true };
const get: Step = { request: `GET ${CM}/a` };

/** Server-side apply. */
export const apply_: readonly Case[] = [
  { name: "apply creates with 201", steps: [apply("m", { data: { a: "1" } })] },
  {
    name: "apply of the same again changes nothing",
    steps: [apply("m", { data: { a: "1" } }), apply("m", { data: { a: "1" } })],
  },
  {
    name: "apply of another value moves the version",
    steps: [apply("m", { data: { a: "1" } }), apply("m", { data: { a: "2" } })],
  },
  {
    name: "apply removes what its manager no longer asks for",
    steps: [apply("m", { data: { a: "1", b: "2" } }), apply("m", { data: { b: "2" } })],
  },
  { name: "apply removes the whole map", steps: [apply("m", { data: { a: "1" } }), apply("m", {})] },
  {
    name: "apply keeps what another manager owns",
    steps: [apply("m", { data: { a: "1" } }), apply("n", { data: { b: "2" } }), apply("m", {})],
  },
  {
    name: "apply shares what two ask for alike",
    steps: [apply("m", { data: { a: "1" } }), apply("n", { data: { a: "1" } }), apply("m", {}), apply("n", {})],
  },
  {
    name: "apply conflicts with another applier",
    steps: [apply("m", { data: { a: "1" } }), apply("n", { data: { a: "2" } })],
  },
  { name: "apply conflicts with an updater", steps: [post, apply("n", { data: { k: "2" } })] },
  {
    name: "apply names all conflicts",
    steps: [apply("m", { data: { a: "1", b: "1" } }), apply("n", { data: { a: "2", b: "2" } })],
  },
  {
    name: "apply names the conflicts of several managers",
    steps: [
      apply("m", { data: { a: "1" } }),
      apply("n", { data: { b: "1" } }),
      { request: `PATCH ${CM}/a?fieldManager=u`, body: { data: { c: "1" } }, type: "merge" },
      apply("o", { data: { a: "2", b: "2", c: "2" } }),
    ],
  },
  {
    name: "a forced apply takes the fields",
    steps: [
      apply("m", { data: { a: "1" } }),
      apply("n", { data: { a: "2" } }, {}, "&force=true"),
      apply("m", { data: { a: "1" } }),
    ],
  },
  {
    name: "a forced apply takes over from an updater",
    steps: [post, apply("n", { data: { k: "2" } }, {}, "&force=true")],
  },
  {
    name: "apply over an updater's equal value shares it",
    steps: [post, apply("n", { data: { k: "v" } }), apply("n", {})],
  },
  {
    name: "an update takes fields from an applier",
    steps: [
      apply("m", { data: { a: "1", b: "1" } }),
      { request: `PATCH ${CM}/a?fieldManager=u`, body: { data: { a: "2" } }, type: "merge" },
      apply("m", { data: { a: "1", b: "1" } }),
    ],
  },
  {
    name: "an update that removes a field takes it from its applier",
    steps: [
      apply("m", { data: { a: "1", b: "1" } }),
      { request: `PATCH ${CM}/a?fieldManager=u`, body: { data: { a: null } }, type: "merge" },
      get,
    ],
  },
  {
    name: "apply without a field manager is refused",
    steps: [{ request: `PATCH ${CM}/a`, body: configMap("a"), type: "apply" }],
  },
  {
    name: "apply with a field manager that is too long is refused",
    steps: [{ request: `PATCH ${CM}/a?fieldManager=${"m".repeat(129)}`, body: configMap("a"), type: "apply" }],
  },
  { name: "apply with managedFields is refused", steps: [apply("m", {}, { managedFields: [{ manager: "x" }] })] },
  {
    name: "apply with a uid on an absent object is a 409",
    steps: [apply("m", {}, { uid: "00000000-0000-0000-0000-000000000001" })],
  },
  {
    name: "apply with a resourceVersion on an absent object is a 409",
    steps: [apply("m", {}, { resourceVersion: "1" })],
  },
  {
    name: "apply with another uid is a 409",
    steps: [post, apply("m", { data: { x: "1" } }, { uid: "00000000-0000-0000-0000-000000000001" })],
  },
  {
    name: "apply with a stale version is a 409",
    steps: [post, apply("m", { data: { x: "1" } }, { resourceVersion: "1" })],
  },
  {
    name: "apply with the right version and uid",
    steps: [
      post,
      apply("m", { data: { x: "1" } }, { resourceVersion: "{a.metadata.resourceVersion}", uid: "{a.metadata.uid}" }),
    ],
  },
  {
    name: "apply of another kind or version is refused",
    steps: [
      { request: `PATCH ${CM}/a?fieldManager=m`, body: { ...configMap("a"), kind: "Secret" }, type: "apply" },
      { request: `PATCH ${CM}/a?fieldManager=m`, body: { ...configMap("a"), apiVersion: "v2" }, type: "apply" },
      {
        request: `PATCH ${WIDGETS}/a?fieldManager=m`,
        body: { ...widget("a"), apiVersion: "kube-api.example.com/v2" },
        type: "apply",
      },
      { request: `PATCH ${CM}/a?fieldManager=m`, body: { metadata: { name: "a" } }, type: "apply" },
    ],
  },
  {
    name: "apply under another name is refused",
    steps: [
      { request: `PATCH ${CM}/a?fieldManager=m`, body: configMap("b"), type: "apply" },
      { request: `PATCH ${CM}/a?fieldManager=m`, body: { apiVersion: "v1", kind: "ConfigMap" }, type: "apply" },
    ],
  },
  {
    name: "apply of YAML",
    steps: [
      {
        request: `PATCH ${CM}/a?fieldManager=m`,
        body: "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: v\n",
        type: "apply",
      },
    ],
  },
  {
    name: "apply of nonsense is a 400",
    steps: [{ request: `PATCH ${CM}/a?fieldManager=m`, body: "{nonsense", type: "apply" }],
  },
  {
    name: "apply in an absent namespace is a 404",
    steps: [
      {
        request: "PATCH /api/v1/namespaces/none-{id}/configmaps/a?fieldManager=m",
        body: configMap("a"),
        type: "apply",
      },
    ],
  },
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
