import type { Case } from "../case.ts";
import { CM, configMap, SECRETS, WIDGETS, widget } from "./samples.ts";

const one = { request: `POST ${CM}`, body: configMap("a", { data: { k: "v" } }), keep: "a" } as const;

/** Create, read, update and delete, and what each refuses. */
export const objects: readonly Case[] = [
  { name: "create answers 201 with what the server set", steps: [one] },
  { name: "a second create under the same name is a 409", steps: [one, one] },
  { name: "get answers the stored object", steps: [one, { request: `GET ${CM}/a` }] },
  { name: "get of an absent object is a 404 with its name", steps: [{ request: `GET ${CM}/none` }] },
  { name: "get of an absent custom resource names its group", steps: [{ request: `GET ${WIDGETS}/none` }] },
  {
    name: "create in an absent namespace is a 404 of the namespace",
    steps: [{ request: `POST /api/v1/namespaces/none-{id}/configmaps`, body: configMap("a") }],
  },
  {
    name: "create with a resourceVersion is refused",
    steps: [{ request: `POST ${CM}`, body: configMap("a", {}, { resourceVersion: "7" }) }],
  },
  {
    name: "create without a name is refused",
    steps: [{ request: `POST ${CM}`, body: { apiVersion: "v1", kind: "ConfigMap" } }],
  },
  {
    name: "create with another namespace in the body is refused",
    steps: [{ request: `POST ${CM}`, body: configMap("a", {}, { namespace: "other" }) }],
  },
  {
    name: "create of a namespaced kind without a namespace is a 405",
    steps: [{ request: "POST /api/v1/configmaps", body: configMap("a") }],
  },
  { name: "create at the path of an object is a 405", steps: [{ request: `POST ${CM}/a`, body: configMap("a") }] },
  {
    name: "create with another kind is refused",
    steps: [{ request: `POST ${CM}`, body: { apiVersion: "v1", kind: "Secret", metadata: { name: "a" } } }],
  },
  {
    name: "create with another version is refused",
    steps: [{ request: `POST ${CM}`, body: { apiVersion: "v2", kind: "ConfigMap", metadata: { name: "a" } } }],
  },
  {
    name: "create without kind and version takes them from the path",
    steps: [{ request: `POST ${CM}`, body: { metadata: { name: "a" } } }],
  },
  {
    name: "create of a custom resource without a kind is refused",
    steps: [{ request: `POST ${WIDGETS}`, body: { metadata: { name: "a" }, spec: { title: "t" } } }],
  },
  {
    name: "create of a custom resource with another kind is refused",
    steps: [{ request: `POST ${WIDGETS}`, body: { ...widget("a"), kind: "Gadget" } }],
  },
  {
    name: "create of a custom resource with another version is refused",
    steps: [{ request: `POST ${WIDGETS}`, body: { ...widget("a"), apiVersion: "kube-api.example.com/v2" } }],
  },
  {
    name: "create ignores the fields that only the server sets",
    steps: [
      {
        request: `POST ${CM}`,
        body: configMap(
          "a",
          {},
          {
            uid: "00000000-0000-0000-0000-000000000001",
            generation: 7,
            creationTimestamp: "2001-01-01T00:00:00Z",
            deletionTimestamp: "2001-01-01T00:00:00Z",
            selfLink: "/x",
          },
        ),
      },
    ],
  },
  { name: "a body that is no JSON is a 400", steps: [{ request: `POST ${CM}`, body: "{nonsense" }] },
  { name: "an empty body is a 400", steps: [{ request: `POST ${CM}`, body: "" }] },
  { name: "a body that is a list is a 400", steps: [{ request: `POST ${CM}`, body: "[]" }] },
  { name: "a body of an unknown content type is a 415", steps: [{ request: `POST ${CM}`, body: "x", type: "text" }] },
  {
    name: "a YAML body is taken",
    steps: [
      {
        request: `POST ${CM}`,
        body: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: v}\n",
        type: "yaml",
      },
    ],
  },
  {
    name: "a wrong type in a built-in kind is a 400",
    steps: [{ request: `POST ${CM}`, body: configMap("a", { data: { k: 1 } }) }],
  },
  {
    name: "empty maps and nulls are not kept in a built-in kind",
    steps: [
      {
        request: `POST ${CM}`,
        body: configMap("a", { data: {}, binaryData: null }, { labels: {}, annotations: null }),
      },
    ],
  },
  {
    name: "update replaces the object and moves its version",
    steps: [one, { request: `PUT ${CM}/a`, body: configMap("a", { data: { x: "y" } }) }],
  },
  {
    name: "update with what is already there writes nothing",
    steps: [one, { request: `PUT ${CM}/a`, body: configMap("a", { data: { k: "v" } }) }],
  },
  {
    name: "update with an older version is a 409",
    steps: [
      one,
      { request: `PUT ${CM}/a`, body: configMap("a", { data: { x: "y" } }), quiet: true },
      { request: `PUT ${CM}/a`, body: configMap("a", {}, { resourceVersion: "{a.metadata.resourceVersion}" }) },
    ],
  },
  {
    name: "update with another uid is a 409",
    steps: [one, { request: `PUT ${CM}/a`, body: configMap("a", {}, { uid: "00000000-0000-0000-0000-000000000001" }) }],
  },
  { name: "update with another name is a 400", steps: [one, { request: `PUT ${CM}/a`, body: configMap("b") }] },
  {
    name: "update with another namespace is a 400",
    steps: [one, { request: `PUT ${CM}/a`, body: configMap("a", {}, { namespace: "other" }) }],
  },
  { name: "update of an absent object is a 404", steps: [{ request: `PUT ${CM}/a`, body: configMap("a") }] },
  { name: "update of a collection is a 405", steps: [{ request: `PUT ${CM}`, body: configMap("a") }] },
  {
    name: "update without a name in the body is a 400",
    steps: [one, { request: `PUT ${CM}/a`, body: { apiVersion: "v1", kind: "ConfigMap", data: { z: "1" } } }],
  },
  {
    name: "update of a custom resource needs its version",
    steps: [
      { request: `POST ${WIDGETS}`, body: widget("a") },
      { request: `PUT ${WIDGETS}/a`, body: widget("a", { title: "other" }) },
    ],
  },
  {
    name: "update of a custom resource makes a new generation",
    steps: [
      { request: `POST ${WIDGETS}`, body: widget("a"), keep: "a" },
      {
        request: `PUT ${WIDGETS}/a`,
        body: widget("a", { title: "other" }, { resourceVersion: "{a.metadata.resourceVersion}" }),
      },
    ],
  },
  {
    name: "update of metadata alone keeps the generation",
    steps: [
      { request: `POST ${WIDGETS}`, body: widget("a"), keep: "a" },
      {
        request: `PUT ${WIDGETS}/a`,
        body: widget("a", { title: "t" }, { labels: { x: "y" }, resourceVersion: "{a.metadata.resourceVersion}" }),
      },
    ],
  },
  {
    name: "update cannot change what only the server sets",
    steps: [
      { request: `POST ${WIDGETS}`, body: widget("a"), keep: "a" },
      {
        request: `PUT ${WIDGETS}/a`,
        body: widget(
          "a",
          { title: "t" },
          {
            generation: 9,
            creationTimestamp: "2001-01-01T00:00:00Z",
            deletionTimestamp: "2001-01-01T00:00:00Z",
            resourceVersion: "{a.metadata.resourceVersion}",
          },
        ),
      },
    ],
  },
  {
    name: "delete answers a Status with the uid",
    steps: [one, { request: `DELETE ${CM}/a` }, { request: `GET ${CM}/a` }],
  },
  { name: "delete of an absent object is a 404", steps: [{ request: `DELETE ${CM}/a` }] },
  { name: "an object made again under its name has another uid", steps: [one, { request: `DELETE ${CM}/a` }, one] },
  {
    name: "a path that is not there is a 404",
    steps: [
      { request: "GET /apis/none.example.com/v1/things" },
      { request: "GET /apis/kube-api.example.com/v9/widgets" },
      { request: "GET /apis/kube-api.example.com/v1/things" },
      { request: "GET /api/v1/things" },
      { request: "GET /nonsense" },
    ],
  },
  {
    name: "a version of a CRD that is not served is a plain 404",
    steps: [
      { request: "GET /apis/kube-api.example.com/v3/namespaces/{ns}/widgets" },
      { request: "GET /apis/kube-api.example.com/v3/namespaces/{ns}/widgets/a" },
    ],
  },
  {
    name: "a subresource that is not there is a 404",
    steps: [
      one,
      { request: `GET ${CM}/a/status` },
      { request: `GET ${CM}/a/nonsense` },
      { request: `GET ${WIDGETS}/a/nonsense` },
    ],
  },
  {
    name: "an unknown method is a 405",
    steps: [one, { request: `OPTIONS ${CM}/a` }, { request: `PATCH ${CM}`, body: {}, type: "merge" }],
  },
  {
    name: "a cluster-scoped kind in a namespace is not there",
    steps: [{ request: "GET /apis/kube-api.example.com/v1/namespaces/{ns}/gadgets" }],
  },
  {
    name: "a Secret's stringData becomes data",
    steps: [
      {
        request: `POST ${SECRETS}`,
        body: {
          apiVersion: "v1",
          kind: "Secret",
          metadata: { name: "s" },
          stringData: { a: "ü" },
          data: { a: "eA==", b: "eA==" },
        },
      },
    ],
  },
];
