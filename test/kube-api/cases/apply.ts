import type { Case, Step } from "../case.ts";
import { CM, configMap, WIDGETS, widget } from "./samples.ts";

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
const post: Step = { request: `POST ${CM}`, body: configMap("a", { data: { k: "v" } }), keep: "a", quiet: true };
const get: Step = { request: `GET ${CM}/a` };

/** Server-side apply: who owns what, and what is refused. */
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
    name: "apply with a resourceVersion on an absent object creates it",
    steps: [apply("m", {}, { resourceVersion: "1" })],
  },
  {
    name: "apply with another uid is a 422",
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
];
