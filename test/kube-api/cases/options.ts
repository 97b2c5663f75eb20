import type { Case, Step } from "../case.ts";
import { CM, configMap, WIDGETS, widget } from "./samples.ts";

const cm: Step = { request: `POST ${CM}`, body: configMap("a"), keep: "a", quiet: true };

/** Options of writes: dry run, field validation. */
export const options: readonly Case[] = [
  {
    name: "a dry run creates nothing",
    steps: [
      { request: `POST ${CM}?dryRun=All`, body: configMap("a", { data: { k: "v" } }) },
      { request: `GET ${CM}/a` },
    ],
  },
  {
    name: "a dry run of an update changes nothing",
    steps: [
      cm,
      { request: `PUT ${CM}/a?dryRun=All`, body: configMap("a", { data: { k: "v" } }) },
      { request: `GET ${CM}/a` },
    ],
  },
  {
    name: "a dry run of a patch and an apply changes nothing",
    steps: [
      cm,
      { request: `PATCH ${CM}/a?dryRun=All`, body: { data: { k: "v" } }, type: "merge" },
      { request: `PATCH ${CM}/a?dryRun=All&fieldManager=m`, body: configMap("a", { data: { k: "w" } }), type: "apply" },
      { request: `PATCH ${CM}/b?dryRun=All&fieldManager=m`, body: configMap("b"), type: "apply" },
      { request: `GET ${CM}/a` },
      { request: `GET ${CM}/b` },
    ],
  },
  {
    name: "a dry run is refused as the real write would be",
    steps: [
      { request: `POST ${WIDGETS}?dryRun=All`, body: widget("a", { title: "" }) },
      cm,
      { request: `POST ${CM}?dryRun=All`, body: configMap("a") },
    ],
  },
  {
    name: "an unknown dry run is refused",
    steps: [
      { request: `POST ${CM}?dryRun=Some`, body: configMap("a") },
      cm,
      { request: `PUT ${CM}/a?dryRun=Some`, body: configMap("a") },
      { request: `PATCH ${CM}/a?dryRun=Some`, body: {}, type: "merge" },
      { request: `DELETE ${CM}/a?dryRun=Some` },
    ],
  },
  {
    name: "strict field validation refuses unknown fields",
    steps: [
      {
        request: `POST ${WIDGETS}?fieldValidation=Strict`,
        body: widget("a", { title: "t", nonsense: 1, options: { x: 1 } }),
      },
      { request: `POST ${CM}?fieldValidation=Strict`, body: configMap("a", { nonsense: 1 }) },
    ],
  },
  {
    name: "strict field validation refuses fields given twice",
    steps: [
      {
        request: `POST ${CM}?fieldValidation=Strict`,
        body: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"k":"1","k":"2"}}',
      },
      {
        request: `POST ${CM}`,
        body: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"k":"1","k":"2"}}',
      },
    ],
  },
  {
    name: "no field validation says nothing",
    steps: [
      { request: `POST ${WIDGETS}?fieldValidation=Ignore`, body: widget("a", { title: "t", nonsense: 1 }) },
      { request: `POST ${CM}?fieldValidation=Ignore`, body: configMap("a", { nonsense: 1 }) },
    ],
  },
  {
    name: "an unknown field validation is refused",
    steps: [{ request: `POST ${CM}?fieldValidation=Nonsense`, body: configMap("a") }],
  },
  {
    name: "strict field validation of patches and updates",
    steps: [
      { request: `POST ${WIDGETS}`, body: widget("a"), keep: "a", quiet: true },
      { request: `PATCH ${WIDGETS}/a?fieldValidation=Strict`, body: { spec: { nonsense: 1 } }, type: "merge" },
      {
        request: `PUT ${WIDGETS}/a?fieldValidation=Strict`,
        body: widget("a", { title: "t", nonsense: 1 }, { resourceVersion: "{a.metadata.resourceVersion}" }),
      },
      {
        request: `PATCH ${WIDGETS}/a?fieldValidation=Strict`,
        body: [{ op: "add", path: "/spec/nonsense", value: 1 }],
        type: "patch",
      },
      {
        request: `PATCH ${WIDGETS}/a?fieldValidation=Strict&fieldManager=m`,
        body: widget("a", { title: "t", nonsense: 1 }),
        type: "apply",
      },
    ],
  },
  {
    name: "a warning names unknown fields of a built-in kind",
    steps: [{ request: `POST ${CM}`, body: configMap("a", { nonsense: 1, data: { k: "v" } }) }],
  },
];
