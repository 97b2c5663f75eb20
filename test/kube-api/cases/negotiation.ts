import type { Case, Step } from "../case.ts";
import { CM, configMap, SECRETS, secret, WIDGETS, widget } from "./samples.ts";

const cm: Step = {
  request: `POST ${CM}`,
  body: configMap("a", { data: { k: "v" } }, { labels: { x: "1" } }),
  quiet: true,
};
const wd: Step = {
  request: `POST ${WIDGETS}`,
  body: widget("a", { title: "t", when: "2020-01-01T00:00:00Z" }),
  quiet: true,
};
const as = (accept: string): Pick<Extract<Step, { request: string }>, "headers"> => ({ headers: { accept } });
const META = as("application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1");
const LIST = as("application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1");
const TABLE = as("application/json;as=Table;g=meta.k8s.io;v=v1");

/** In which shape a server answers. */
export const negotiation: readonly Case[] = [
  {
    name: "one object's metadata alone",
    steps: [cm, { request: `GET ${CM}/a`, ...META }, wd, { request: `GET ${WIDGETS}/a`, ...META }],
  },
  {
    name: "a list's metadata alone",
    steps: [cm, { request: `GET ${CM}?labelSelector=x`, ...LIST }, wd, { request: `GET ${WIDGETS}`, ...LIST }],
  },
  {
    name: "a page of metadata",
    steps: [
      wd,
      { request: `POST ${WIDGETS}`, body: widget("b"), quiet: true },
      { request: `GET ${WIDGETS}?limit=1`, ...LIST },
    ],
  },
  {
    name: "the list's shape for one object and the other way round",
    steps: [cm, { request: `GET ${CM}/a`, ...LIST }, { request: `GET ${CM}?labelSelector=x`, ...META }],
  },
  {
    name: "writes answer in the shape that was asked for",
    steps: [
      { request: `POST ${CM}`, body: configMap("a"), ...META },
      { request: `PATCH ${CM}/a`, body: { data: { k: "v" } }, type: "merge", ...META },
      { request: `DELETE ${CM}/a`, ...META },
    ],
  },
  { name: "a table of ConfigMaps", steps: [cm, { request: `GET ${CM}?labelSelector=x`, ...TABLE }] },
  {
    name: "a table of Secrets",
    steps: [
      { request: `POST ${SECRETS}`, body: secret("s", { data: { a: "eA==" } }), quiet: true },
      { request: `GET ${SECRETS}`, ...TABLE },
    ],
  },
  {
    name: "a table of a custom resource",
    steps: [
      wd,
      {
        request: `PATCH ${WIDGETS}/a/status`,
        body: { status: { phase: "Fine", conditions: [{ type: "Ready", status: "True" }] } },
        type: "merge",
        quiet: true,
      },
      { request: `GET ${WIDGETS}`, ...TABLE },
    ],
  },
  { name: "a table of one object", steps: [cm, { request: `GET ${CM}/a`, ...TABLE }] },
  {
    name: "a table with whole objects, or none",
    steps: [
      cm,
      { request: `GET ${CM}/a?includeObject=Object`, ...TABLE },
      { request: `GET ${CM}/a?includeObject=None`, ...TABLE },
      { request: `GET ${CM}/a?includeObject=Nonsense`, ...TABLE },
    ],
  },
  { name: "an empty table", steps: [{ request: `GET ${WIDGETS}`, ...TABLE }] },
  {
    name: "the first shape that can be had",
    steps: [
      cm,
      { request: `GET ${CM}/a`, ...as("application/json;as=Nonsense;g=meta.k8s.io;v=v1, application/json") },
      { request: `GET ${CM}/a`, ...as("text/html, */*") },
    ],
  },
  {
    name: "no shape that can be had is a 406",
    steps: [
      cm,
      { request: `GET ${CM}/a`, ...as("text/html") },
      { request: `GET ${CM}/a`, ...as("application/json;as=Nonsense;g=meta.k8s.io;v=v1") },
      { request: `GET ${WIDGETS}/a`, ...as("text/html") },
    ],
  },
  {
    name: "an error is a Status in any shape",
    steps: [
      { request: `GET ${CM}/none`, ...META },
      { request: `GET ${CM}/none`, ...TABLE },
    ],
  },
];
