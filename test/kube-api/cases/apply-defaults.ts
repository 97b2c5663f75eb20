import type { Case, Step } from "../case.ts";
import { CRDS } from "./samples.ts";

const GROUP = "d-{id}.example.com";
const PARTS = `/apis/${GROUP}/v1/namespaces/{ns}/parts`;
const withDefault = { type: "object", properties: { x: { type: "string", default: "x" }, y: { type: "string" } } };

const crd = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `parts.${GROUP}` },
  spec: {
    group: GROUP,
    scope: "Namespaced",
    names: { plural: "parts", singular: "part", kind: "Part", listKind: "PartList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: {
                  name: { type: "string" },
                  level: { type: "string", default: "info" },
                  maybe: { ...withDefault, nullable: true },
                  byName: { type: "object", additionalProperties: withDefault },
                  open: {
                    type: "object",
                    "x-kubernetes-preserve-unknown-fields": true,
                    properties: { known: withDefault },
                  },
                  any: { "x-kubernetes-preserve-unknown-fields": true },
                },
              },
              status: { type: "object", properties: { count: { type: "integer", default: 4 } } },
            },
          },
        },
      },
    ],
  },
};

const served: Step[] = [
  { request: `POST ${CRDS}`, body: crd, quiet: true },
  { request: `GET ${PARTS}`, until: { status: 200 }, quiet: true },
];
const gone: Step = { request: `DELETE ${CRDS}/parts.${GROUP}`, quiet: true };

const part = (fields: object) => ({ apiVersion: `${GROUP}/v1`, kind: "Part", metadata: { name: "a" }, ...fields });
const apply = (fields: object, manager = "m", path = ""): Step => ({
  request: `PATCH ${PARTS}/a${path}?fieldManager=${manager}`,
  body: part(fields),
  type: "apply",
});
const read: Step = { request: `GET ${PARTS}/a` };

/** The same apply three times, by two managers. */
const again = (name: string, fields: object): Case => ({
  name: `apply of ${name} changes nothing the second time`,
  steps: [...served, apply(fields), apply(fields), apply(fields), apply(fields, "n"), apply(fields), read, gone],
});

/** Server-side apply of what is empty until defaults fill it, and of what has no schema. */
export const applyDefaults: readonly Case[] = [
  again("an empty object with a default in it", { spec: {} }),
  again("an empty object beside a field", { spec: { name: "x", maybe: {} } }),
  again("an empty object in a map", { spec: { byName: { k: {} } } }),
  again("an empty object in an open one", { spec: { open: { known: {} } } }),
  {
    name: "apply of an empty status with a default in it changes nothing the second time",
    steps: [
      ...served,
      apply({ spec: {} }),
      apply({ status: {} }, "m", "/status"),
      apply({ status: {} }, "m", "/status"),
      apply({ status: {} }, "n", "/status"),
      read,
      gone,
    ],
  },
  {
    name: "apply that leaves out what was empty takes it away",
    steps: [...served, apply({ spec: { name: "x", maybe: {} } }), apply({ spec: { name: "x" } }), apply({}), gone],
  },
  {
    name: "apply of an empty object keeps what another manager has in it",
    steps: [
      ...served,
      apply({ spec: { maybe: {} } }),
      apply({ spec: { maybe: { y: "1" } } }, "n"),
      apply({ spec: { maybe: {} } }),
      apply({ spec: {} }),
      apply({ spec: {} }, "n"),
      gone,
    ],
  },
  {
    name: "apply that changes the type of a field without a schema",
    steps: [
      ...served,
      apply({ spec: { any: [1, 2] } }),
      apply({ spec: { any: [1, 2] } }, "n"),
      {
        ...(apply({ spec: { any: { x: 1 } } }) as object),
        request: `PATCH ${PARTS}/a?fieldManager=m&force=true`,
      } as Step,
      {
        ...(apply({ spec: { any: "s" } }, "n") as object),
        request: `PATCH ${PARTS}/a?fieldManager=n&force=true`,
      } as Step,
      read,
      gone,
    ],
  },
];
