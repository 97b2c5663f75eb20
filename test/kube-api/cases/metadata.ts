import type { Case } from "../case.ts";
import { CM, configMap, WIDGETS, widget } from "./samples.ts";

const create = (metadata: object) => ({
  request: `POST ${CM}`,
  body: configMap("a", {}, metadata as Record<string, unknown>),
});
const named = (name: string) => ({ request: `POST ${CM}`, body: configMap(name) });

/** Names, labels, annotations, finalizers and owner references. */
export const metadata: readonly Case[] = [
  { name: "a name with a capital letter is a 422", steps: [named("Aa")] },
  { name: "a name with an underscore is a 422", steps: [named("a_b")] },
  { name: "a name of more than 253 characters is a 422", steps: [named("a".repeat(254))] },
  {
    name: "a custom resource's bad name is a 422 with its group",
    steps: [{ request: `POST ${WIDGETS}`, body: widget("A") }],
  },
  {
    name: "generateName ends in five characters",
    steps: [{ request: `POST ${CM}`, body: { apiVersion: "v1", kind: "ConfigMap", metadata: { generateName: "A-" } } }],
  },
  { name: "a label key that is none is a 422", steps: [create({ labels: { "a b": "c" } })] },
  { name: "a label key with two slashes is a 422", steps: [create({ labels: { "a/b/c": "c" } })] },
  { name: "a label value that is none is a 422", steps: [create({ labels: { a: "b c" } })] },
  { name: "a label value of 64 characters is a 422", steps: [create({ labels: { a: "b".repeat(64) } })] },
  { name: "an annotation key that is none is a 422", steps: [create({ annotations: { "a b": "c" } })] },
  { name: "annotations that are too large are a 422", steps: [create({ annotations: { a: "b".repeat(262145) } })] },
  {
    name: "a finalizer without a domain is a 422, of a custom resource a warning",
    steps: [
      create({ finalizers: ["nodomain"] }),
      { request: `POST ${WIDGETS}`, body: widget("a", { title: "t" }, { finalizers: ["nodomain"] }) },
    ],
  },
  { name: "a finalizer that is no name is a 422", steps: [create({ finalizers: ["example.com/a b"] })] },
  { name: "finalizers are kept in their order", steps: [create({ finalizers: ["example.com/b", "example.com/a"] })] },
  { name: "the same finalizer twice is kept", steps: [create({ finalizers: ["example.com/a", "example.com/a"] })] },
  {
    name: "an owner reference without a uid is a 422",
    steps: [create({ ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "x" }] })],
  },
  { name: "an owner reference without all else is a 422", steps: [create({ ownerReferences: [{ uid: "x" }] })] },
  {
    name: "two controllers are a 422",
    steps: [
      create({
        ownerReferences: [
          { apiVersion: "v1", kind: "Secret", name: "x", uid: "1", controller: true },
          { apiVersion: "v1", kind: "Secret", name: "y", uid: "2", controller: true },
        ],
      }),
    ],
  },
  {
    name: "an Event as owner is a 422",
    steps: [create({ ownerReferences: [{ apiVersion: "v1", kind: "Event", name: "x", uid: "1" }] })],
  },
  {
    name: "the same owner twice is kept once, with a warning",
    steps: [
      create({
        ownerReferences: [
          { apiVersion: "v1", kind: "Namespace", name: "{ns}", uid: "1" },
          { apiVersion: "v1", kind: "Namespace", name: "{ns}", uid: "1" },
        ],
      }),
    ],
  },
  {
    name: "unknown fields of metadata are dropped with a warning",
    steps: [
      create({ nonsense: 1 }),
      { request: `POST ${WIDGETS}`, body: widget("a", { title: "t" }, { nonsense: 1 }) },
    ],
  },
  {
    name: "metadata of the wrong type is a 400",
    steps: [
      create({ labels: { a: 1 } }),
      { request: `POST ${WIDGETS}`, body: widget("a", { title: "t" }, { labels: { a: 1 } }) },
      { request: `POST ${WIDGETS}`, body: widget("a", { title: "t" }, { labels: "x" }) },
    ],
  },
  {
    name: "several things wrong are all named",
    steps: [{ request: `POST ${CM}`, body: configMap("A_", { data: { "a b": "c" } }, { labels: { "a b": "c d" } }) }],
  },
];
