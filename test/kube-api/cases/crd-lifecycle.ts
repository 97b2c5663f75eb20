import type { Case, Step } from "../case.ts";
import { CRDS } from "./samples.ts";

const GROUP = "x{id}.example.com";
const NAME = `things.${GROUP}`;
const schema = {
  openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties: { a: { type: "string" } } } } },
};
const crd = (spec: object = {}, version: object = {}): Record<string, unknown> => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: NAME },
  spec: {
    group: GROUP,
    scope: "Namespaced",
    names: { plural: "things", kind: "Thing" },
    versions: [{ name: "v1", served: true, storage: true, schema, ...version }],
    ...spec,
  },
});
const create: Step = { request: `POST ${CRDS}`, body: crd(), keep: "crd" };
const established: Step = {
  request: `GET /apis/${GROUP}/v1/namespaces/{ns}/things`,
  until: { status: 200 },
  quiet: true,
};
const drop: Step = { request: `DELETE ${CRDS}/${NAME}`, quiet: true };
const thing = { apiVersion: `${GROUP}/v1`, kind: "Thing", metadata: { name: "t" }, spec: { a: "1" } };
const refused = (name: string, body: unknown): Case => ({ name, steps: [{ request: `POST ${CRDS}`, body }] });
const withSchema = (openAPIV3Schema: object): unknown => crd({}, { schema: { openAPIV3Schema } });
const withField = (field: object): unknown => withSchema({ type: "object", properties: { f: field } });

/** CRDs: how they come, change and go, and which are refused. */
export const crdLifecycle: readonly Case[] = [
  { name: "a CRD gets names and a conversion", steps: [create, established, { request: `GET ${CRDS}/${NAME}` }, drop] },
  {
    name: "a CRD's objects go with it",
    steps: [
      { ...create, quiet: true },
      established,
      { request: `POST /apis/${GROUP}/v1/namespaces/{ns}/things`, body: thing, until: { status: 201 } },
      { request: `DELETE ${CRDS}/${NAME}` },
      { request: `GET /apis/${GROUP}/v1/namespaces/{ns}/things`, until: { status: 404 } },
      { request: `GET ${CRDS}/${NAME}`, until: { status: 404 } },
    ],
  },
  {
    name: "a CRD by apply, twice",
    steps: [
      { request: `PATCH ${CRDS}/${NAME}?fieldManager=m`, body: crd(), type: "apply" },
      established,
      { request: `PATCH ${CRDS}/${NAME}?fieldManager=m`, body: crd(), type: "apply" },
      drop,
    ],
  },
  {
    name: "a CRD that changes serves its new schema",
    steps: [
      { ...create, quiet: true },
      established,
      {
        request: `PATCH ${CRDS}/${NAME}?fieldManager=m&force=true`,
        body: crd({}, { subresources: { status: {} } }),
        type: "apply",
      },
      { request: `GET /apis/${GROUP}/v1/namespaces/{ns}/things/none/status`, until: { present: "details" } },
      drop,
    ],
  },
  {
    name: "a CRD that stops serving a version",
    steps: [
      { ...create, quiet: true },
      established,
      {
        request: `PATCH ${CRDS}/${NAME}`,
        body: { spec: { versions: [{ name: "v1", served: false, storage: true, schema }] } },
        type: "merge",
      },
      { request: `GET /apis/${GROUP}/v1/namespaces/{ns}/things`, until: { status: 404 } },
      drop,
    ],
  },
  {
    name: "a CRD waits for an object with a finalizer, and takes nothing new",
    steps: [
      { ...create, quiet: true },
      established,
      {
        request: `POST /apis/${GROUP}/v1/namespaces/{ns}/things`,
        body: { ...thing, metadata: { name: "t", finalizers: ["example.com/f"] } },
        quiet: true,
        until: { status: 201 },
      },
      { request: `DELETE ${CRDS}/${NAME}`, quiet: true },
      {
        request: `GET /apis/${GROUP}/v1/namespaces/{ns}/things/t`,
        quiet: true,
        until: { present: "metadata.deletionTimestamp" },
      },
      {
        request: `POST /apis/${GROUP}/v1/namespaces/{ns}/things?dryRun=All`,
        body: { ...thing, metadata: { name: "u" } },
        until: { status: 403 },
      },
      {
        request: `PATCH /apis/${GROUP}/v1/namespaces/{ns}/things/t`,
        body: { metadata: { finalizers: null } },
        type: "merge",
        quiet: true,
      },
      { request: `GET ${CRDS}/${NAME}`, until: { status: 404 } },
    ],
  },
  refused("a CRD under another name is a 422", { ...crd(), metadata: { name: "other.example.com" } }),
  refused("a CRD without versions is a 422", crd({ versions: [] })),
  refused(
    "a CRD without a storage version is a 422",
    crd({ versions: [{ name: "v1", served: true, storage: false, schema }] }),
  ),
  refused(
    "a CRD with two storage versions is a 422",
    crd({
      versions: [
        { name: "v1", served: true, storage: true, schema },
        { name: "v2", served: true, storage: true, schema },
      ],
    }),
  ),
  refused("a CRD without a schema is a 422", crd({ versions: [{ name: "v1", served: true, storage: true }] })),
  refused("a CRD with an unknown scope is a 422", crd({ scope: "Galaxy" })),
  refused("a CRD without a kind is a 422", crd({ names: { plural: "things" } })),
  refused("a CRD whose schema is no object is a 422", withSchema({ type: "string" })),
  refused("a CRD with a field without a type is a 422", withField({})),
  refused("a CRD with a list of types is a 400", withField({ type: ["string", "null"] })),
  refused(
    "a CRD with additionalProperties beside properties is a 422",
    withField({ type: "object", properties: { a: { type: "string" } }, additionalProperties: false }),
  ),
  refused("a CRD with a list without items is a 422", withField({ type: "array" })),
  refused("a CRD with a default that does not fit is a 422", withField({ type: "string", default: 1 })),
  refused(
    "a CRD with a list of keys without keys is a 422",
    withField({
      type: "array",
      "x-kubernetes-list-type": "map",
      items: { type: "object", properties: { a: { type: "string" } } },
    }),
  ),
  refused(
    "a CRD with a key that is not required is a 422",
    withField({
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["a"],
      items: { type: "object", properties: { a: { type: "string" } } },
    }),
  ),
  refused("a CRD with a group of the API's own is a 422", {
    ...crd({ group: "x.k8s.io" }),
    metadata: { name: "things.x.k8s.io" },
  }),
  refused(
    "a CRD with a mistake in its second version is a 422",
    crd({
      versions: [
        { name: "v1", served: true, storage: true, schema },
        {
          name: "v2",
          served: true,
          storage: false,
          schema: { openAPIV3Schema: { type: "object", properties: { f: {} } } },
          additionalPrinterColumns: [{ name: "A" }],
        },
      ],
    }),
  ),
  refused("a CRD with an incomplete column is a 422", crd({}, { additionalPrinterColumns: [{}] })),
  refused(
    "a CRD with a bad path of a column is a 422",
    crd({}, { additionalPrinterColumns: [{ name: "A", type: "x", jsonPath: "spec" }] }),
  ),
  refused("a CRD with an incomplete scale is a 422", crd({}, { subresources: { scale: {} } })),
  refused("a CRD with an incomplete selectable field is a 422", crd({}, { selectableFields: [{}] })),
  refused(
    "a CRD with a selectable field that it has not is a 422",
    crd({}, { selectableFields: [{ jsonPath: ".spec.none" }] }),
  ),
  refused("a CRD with a version without a name is a 422", crd({}, { name: "" })),
  refused("a CRD with bad names is a 422", crd({ names: { plural: "things", kind: "a b" } })),
  refused("a CRD without a group is a 422", crd({ group: "" })),
  {
    name: "a CRD's group, scope and kind stay",
    steps: [
      { ...create, quiet: true },
      established,
      {
        request: `PATCH ${CRDS}/${NAME}`,
        body: { spec: { scope: "Cluster", names: { kind: "Other", listKind: "OtherList", singular: "other" } } },
        type: "merge",
      },
      drop,
    ],
  },
];
