import type { Case, Step } from "../case.ts";
import { GADGETS, WIDGETS, widget } from "./samples.ts";

const wd: Step = { request: `POST ${WIDGETS}`, body: widget("a", { title: "t", replicas: 2 }), keep: "a", quiet: true };
const S = `${WIDGETS}/a/status`;
const SCALE = `${WIDGETS}/a/scale`;
const scale = (replicas: number, metadata: object = {}): object => ({
  apiVersion: "autoscaling/v1",
  kind: "Scale",
  metadata: { name: "a", namespace: "{ns}", ...metadata },
  spec: { replicas },
});

/** `/status` and `/scale`. */
export const subresources: readonly Case[] = [
  {
    name: "a status in a create is dropped",
    steps: [{ request: `POST ${WIDGETS}`, body: widget("a", { title: "t" }, {}, { status: { phase: "x" } }) }],
  },
  {
    name: "a status in an update of the object is ignored",
    steps: [
      wd,
      { request: `PATCH ${WIDGETS}/a`, body: { status: { phase: "x" } }, type: "merge" },
      {
        request: `PUT ${WIDGETS}/a`,
        body: widget(
          "a",
          { title: "t", replicas: 2 },
          { resourceVersion: "{a.metadata.resourceVersion}" },
          { status: { phase: "x" } },
        ),
      },
    ],
  },
  {
    name: "a status patch keeps the generation",
    steps: [wd, { request: `PATCH ${S}`, body: { status: { phase: "x" } }, type: "merge" }, { request: `GET ${S}` }],
  },
  {
    name: "a status patch of what is already so writes nothing",
    steps: [
      wd,
      { request: `PATCH ${S}`, body: { status: { phase: "x" } }, type: "merge" },
      { request: `PATCH ${S}`, body: { status: { phase: "x" } }, type: "merge" },
    ],
  },
  {
    name: "a status patch changes neither spec nor metadata",
    steps: [
      wd,
      {
        request: `PATCH ${S}`,
        body: {
          metadata: { labels: { x: "1" }, finalizers: ["example.com/f"] },
          spec: { title: "other" },
          status: { phase: "x" },
        },
        type: "merge",
      },
    ],
  },
  {
    name: "a status update",
    steps: [
      wd,
      {
        request: `PUT ${S}`,
        body: widget(
          "a",
          { title: "other" },
          { resourceVersion: "{a.metadata.resourceVersion}" },
          { status: { phase: "x" } },
        ),
      },
    ],
  },
  {
    name: "a status update without its version",
    steps: [wd, { request: `PUT ${S}`, body: widget("a", { title: "t" }, {}, { status: { phase: "x" } }) }],
  },
  {
    name: "a status update that leaves the status out removes it",
    steps: [
      wd,
      { request: `PATCH ${S}`, body: { status: { phase: "x" } }, type: "merge", keep: "b" },
      { request: `PUT ${S}`, body: widget("a", { title: "t" }, { resourceVersion: "{b.metadata.resourceVersion}" }) },
    ],
  },
  {
    name: "a status JSON patch with a test of the uid",
    steps: [
      wd,
      {
        request: `PATCH ${S}`,
        body: [
          { op: "test", path: "/metadata/uid", value: "{a.metadata.uid}" },
          { op: "add", path: "/status", value: { phase: "x" } },
        ],
        type: "patch",
      },
      {
        request: `PATCH ${S}`,
        body: [
          { op: "test", path: "/metadata/uid", value: "00000000-0000-0000-0000-000000000001" },
          { op: "replace", path: "/status/phase", value: "y" },
        ],
        type: "patch",
      },
    ],
  },
  {
    name: "a status merge patch with another uid is written",
    steps: [
      wd,
      {
        request: `PATCH ${S}`,
        body: { metadata: { uid: "00000000-0000-0000-0000-000000000001" }, status: { phase: "x" } },
        type: "merge",
      },
    ],
  },
  {
    name: "a status patch with a stale version is a 409",
    steps: [
      wd,
      { request: `PATCH ${S}`, body: { metadata: { resourceVersion: "1" }, status: { phase: "x" } }, type: "merge" },
    ],
  },
  {
    name: "a status apply",
    steps: [
      wd,
      {
        request: `PATCH ${S}?fieldManager=m`,
        body: {
          apiVersion: "kube-api.example.com/v1",
          kind: "Widget",
          metadata: { name: "a" },
          status: { conditions: [{ type: "Ready", status: "True" }] },
        },
        type: "apply",
      },
      {
        request: `PATCH ${S}?fieldManager=n`,
        body: {
          apiVersion: "kube-api.example.com/v1",
          kind: "Widget",
          metadata: { name: "a" },
          status: { conditions: [{ type: "Synced", status: "True" }] },
        },
        type: "apply",
      },
      {
        request: `PATCH ${S}?fieldManager=n`,
        body: {
          apiVersion: "kube-api.example.com/v1",
          kind: "Widget",
          metadata: { name: "a" },
          status: { conditions: [{ type: "Ready", status: "False" }] },
        },
        type: "apply",
      },
      {
        request: `PATCH ${S}?fieldManager=m`,
        body: { apiVersion: "kube-api.example.com/v1", kind: "Widget", metadata: { name: "a" }, status: {} },
        type: "apply",
      },
    ],
  },
  {
    name: "a status apply with another uid is written",
    steps: [
      wd,
      {
        request: `PATCH ${S}?fieldManager=m`,
        body: {
          apiVersion: "kube-api.example.com/v1",
          kind: "Widget",
          metadata: { name: "a", uid: "00000000-0000-0000-0000-000000000001" },
          status: { phase: "x" },
        },
        type: "apply",
      },
    ],
  },
  {
    name: "a status apply on an absent object is a 404",
    steps: [
      {
        request: `PATCH ${S}?fieldManager=m`,
        body: {
          apiVersion: "kube-api.example.com/v1",
          kind: "Widget",
          metadata: { name: "a" },
          status: { phase: "x" },
        },
        type: "apply",
      },
    ],
  },
  {
    name: "an invalid status is a 422",
    steps: [
      wd,
      { request: `PATCH ${S}`, body: { status: { phase: 1 } }, type: "merge" },
      { request: `PATCH ${S}`, body: { status: { conditions: [{}] } }, type: "merge" },
    ],
  },
  {
    name: "an unknown field of the status is pruned",
    steps: [wd, { request: `PATCH ${S}`, body: { status: { nonsense: 1 } }, type: "merge" }],
  },
  {
    name: "a status of an absent object is a 404",
    steps: [{ request: `GET ${S}` }, { request: `PATCH ${S}`, body: { status: {} }, type: "merge" }],
  },
  {
    name: "methods that a status has not",
    steps: [wd, { request: `DELETE ${S}` }, { request: `POST ${S}`, body: widget("a") }],
  },
  { name: "a kind without a status has none", steps: [{ request: `GET ${GADGETS}/a/status` }] },
  {
    name: "a scale is read",
    steps: [
      wd,
      { request: `GET ${SCALE}` },
      { request: `PATCH ${S}`, body: { status: { replicas: 1, selector: "a=b" } }, type: "merge", quiet: true },
      { request: `GET ${SCALE}` },
    ],
  },
  {
    name: "a scale without replicas",
    steps: [{ request: `POST ${WIDGETS}`, body: widget("a"), quiet: true }, { request: `GET ${SCALE}` }],
  },
  {
    name: "a scale is updated",
    steps: [wd, { request: `PUT ${SCALE}`, body: scale(5) }, { request: `GET ${WIDGETS}/a` }],
  },
  {
    name: "a scale is patched",
    steps: [
      wd,
      { request: `PATCH ${SCALE}?fieldManager=m`, body: { spec: { replicas: 4 } }, type: "merge" },
      { request: `GET ${WIDGETS}/a` },
    ],
  },
  {
    name: "a scale with a stale version is a 409",
    steps: [wd, { request: `PUT ${SCALE}`, body: scale(5, { resourceVersion: "1" }) }],
  },
  { name: "a scale below zero is refused", steps: [wd, { request: `PUT ${SCALE}`, body: scale(-1) }] },
  {
    name: "a scale of an absent object is a 404",
    steps: [{ request: `GET ${SCALE}` }, { request: `PUT ${SCALE}`, body: scale(1) }],
  },
];
