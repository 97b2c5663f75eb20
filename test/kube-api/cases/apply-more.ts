import type { Case, Step } from "../case.ts";
import { CM, configMap, GADGETS, gadget, WIDGETS, widget } from "./samples.ts";

const applyWidget = (spec: object, metadata: object = {}): Step => ({
  request: `PATCH ${WIDGETS}/a?fieldManager=m`,
  body: widget("a", spec as Record<string, unknown>, metadata as Record<string, unknown>),
  type: "apply",
});

/** Server-side apply: what does not fit, and sequences of it. */
export const applyMore: readonly Case[] = [
  {
    name: "apply of the wrong type",
    steps: [
      applyWidget({ title: 1 }),
      applyWidget({ title: "t", size: "x" }),
      applyWidget({ title: "t", ports: {} }),
      applyWidget({ title: "t", options: [] }),
      applyWidget({ title: "t", on: "x" }),
    ],
  },
  {
    name: "apply of the wrong type to a built-in kind",
    steps: [
      { request: `PATCH ${CM}/a?fieldManager=m`, body: configMap("a", { data: { k: 1 } }), type: "apply" },
      { request: `PATCH ${CM}/a?fieldManager=m`, body: configMap("a", { data: [] }), type: "apply" },
    ],
  },
  {
    name: "apply with a namespace in the body",
    steps: [applyWidget({ title: "t" }, { namespace: "{ns}" }), applyWidget({ title: "t" }, { namespace: "other" })],
  },
  { name: "apply of a generateName", steps: [applyWidget({ title: "t" }, { generateName: "a" })] },
  {
    name: "apply to an absent cluster-scoped object",
    steps: [
      {
        request: `PATCH ${GADGETS}/g-{id}?fieldManager=m`,
        body: gadget("g-{id}", { size: 1, status: { a: 1 } }),
        type: "apply",
      },
      { request: `DELETE ${GADGETS}/g-{id}` },
    ],
  },
  {
    name: "apply that changes nothing but takes a field",
    steps: [
      applyWidget({ title: "t" }),
      { request: `PATCH ${WIDGETS}/a?fieldManager=n`, body: widget("a", { title: "t" }), type: "apply" },
      { request: `PATCH ${WIDGETS}/a?fieldManager=n`, body: widget("a", { title: "t" }), type: "apply" },
    ],
  },
  {
    name: "apply then update then apply of the same",
    steps: [
      applyWidget({ title: "t", tags: ["a"] }),
      {
        request: `PATCH ${WIDGETS}/a?fieldManager=u`,
        body: [{ op: "add", path: "/spec/tags/-", value: "b" }],
        type: "patch",
      },
      applyWidget({ title: "t", tags: ["a"] }),
      applyWidget({ title: "t", tags: ["b"] }),
      applyWidget({ title: "t" }),
    ],
  },
];
