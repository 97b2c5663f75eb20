import type { Case, Step } from "../case.ts";
import { GADGETS, gadget, WIDGETS, WIDGETS_V2, widget } from "./samples.ts";

const post = (spec: Record<string, unknown>, query = ""): Step => ({
  request: `POST ${WIDGETS}${query}`,
  body: widget("a", spec),
});
const wrong = (name: string, spec: Record<string, unknown>): Case => ({ name, steps: [post({ title: "t", ...spec })] });

/** Custom resources: schema, defaults, pruning, versions. */
export const customResources: readonly Case[] = [
  { name: "defaults are set", steps: [post({ title: "t", ports: [{ name: "a" }], list: [{}] })] },
  {
    name: "unknown fields are pruned with a warning",
    steps: [post({ title: "t", nonsense: 1, options: { x: 1 }, list: [{ x: 1 }] })],
  },
  {
    name: "unknown fields are kept where the schema says so",
    steps: [
      post({ title: "t", open: { x: { y: [1] } } }),
      { request: `POST ${GADGETS}`, body: gadget("g-{id}", { any: { x: 1 }, size: 1 }) },
      { request: `DELETE ${GADGETS}/g-{id}` },
    ],
  },
  {
    name: "unknown fields at the top are pruned",
    steps: [{ request: `POST ${WIDGETS}`, body: widget("a", { title: "t" }, {}, { extra: 1 }) }],
  },
  {
    name: "a null without nullable is dropped, or becomes the default",
    steps: [post({ title: "t", maybe: null, color: null, size: null })],
  },
  { name: "a null for a required field is a 422", steps: [post({ title: null })] },
  {
    name: "a missing required field is a 422",
    steps: [
      post({}),
      {
        request: `POST ${WIDGETS}`,
        body: { apiVersion: "kube-api.example.com/v1", kind: "Widget", metadata: { name: "a" } },
      },
    ],
  },
  wrong("a string for a number is a 422", { size: "x" }),
  wrong("a number for a string is a 422", { title: 1 }),
  wrong("a fraction for an integer is a 422", { size: 1.5 }),
  wrong("a string for an object is a 422", { options: "x" }),
  wrong("an object for a list is a 422", { tags: {} }),
  wrong("a list for a map is a 422", { map: [] }),
  wrong("a string for a boolean is a 422", { on: "true" }),
  wrong("a string that is too short is a 422", { title: "" }),
  wrong("a string that is too long is a 422", { title: "x".repeat(21) }),
  wrong("a string that does not match is a 422", { code: "A1" }),
  wrong("a string of another format is a 422", { when: "yesterday" }),
  wrong("a value outside an enum is a 422", { color: "blue" }),
  wrong("a number that is too small is a 422", { size: 0 }),
  wrong("a number that is too large is a 422", { size: 11 }),
  wrong("a number at an exclusive bound is a 422", { ratio: 0 }),
  wrong("a number that is no multiple is a 422", { ratio: 0.7 }),
  wrong("a list that is too long is a 422", { tags: ["a", "b", "c", "d"] }),
  wrong("a list that is too short is a 422", { ports: [] }),
  wrong("a set with the same value twice is a 422", { tags: ["a", "a"] }),
  wrong("a list with the same keys twice is a 422", { ports: [{ name: "a" }, { name: "a", port: 1 }] }),
  wrong("a map with too many entries is a 422", { map: { a: "1", b: "2", c: "3" } }),
  wrong("a wrong value in a map is a 422", { map: { a: 1 } }),
  wrong("a wrong item in a list is a 422", { ports: [{ name: "a" }, { name: 1 }] }),
  wrong("an item without its required field is a 422", { ports: [{ port: 1 }] }),
  wrong("int-or-string takes both and nothing else", { port: true }),
  wrong("oneOf with none is a 422", { choice: {} }),
  wrong("oneOf with both is a 422", { choice: { a: "1", b: "2" } }),
  wrong("several mistakes are all named", { title: "", size: 99, color: "blue", tags: ["a", "a"] }),
  {
    name: "an update is validated too",
    steps: [
      { ...post({ title: "t" }), keep: "a" },
      {
        request: `PUT ${WIDGETS}/a`,
        body: widget("a", { title: "" }, { resourceVersion: "{a.metadata.resourceVersion}" }),
      },
    ],
  },
  {
    name: "the other version shows the same object, with a warning",
    steps: [post({ title: "t" }), { request: `GET ${WIDGETS_V2}/a` }, { request: `GET ${WIDGETS_V2}` }],
  },
  {
    name: "an object made in the other version gets the defaults of both",
    steps: [
      {
        request: `POST ${WIDGETS_V2}`,
        body: { ...widget("a", { title: "t", nonsense: 1 }), apiVersion: "kube-api.example.com/v2" },
      },
      { request: `GET ${WIDGETS}/a` },
    ],
  },
  {
    name: "a cluster-scoped custom resource",
    steps: [
      { request: `POST ${GADGETS}`, body: gadget("g-{id}", { size: 1 }, { namespace: "x" }) },
      { request: `POST ${GADGETS}`, body: gadget("g-{id}", { size: 1 }) },
      { request: `GET ${GADGETS}/g-{id}` },
      { request: `PATCH ${GADGETS}/g-{id}`, body: { status: { a: 1 } }, type: "merge" },
      { request: `DELETE ${GADGETS}/g-{id}` },
    ],
  },
];
