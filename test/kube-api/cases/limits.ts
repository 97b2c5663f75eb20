import type { Case } from "../case.ts";
import { CM, configMap, WIDGETS, widget } from "./samples.ts";

const BIG = "x".repeat(3_200_000);
const operations = (count: number) => Array.from({ length: count }, () => ({ op: "test", path: "/kind", value: null }));

/** How much a request may hold. */
export const limits: readonly Case[] = [
  {
    name: "a body of more than 3 MiB is a 413",
    steps: [
      { request: `POST ${CM}`, body: configMap("a", { data: { a: BIG } }) },
      { request: `POST ${WIDGETS}`, body: widget("a", { title: "t", open: { a: BIG } }) },
      { request: `PUT ${CM}/a`, body: configMap("a", { data: { a: BIG } }) },
      { request: `DELETE ${CM}/a`, body: { propagationPolicy: BIG } },
      { request: `DELETE ${CM}`, body: { propagationPolicy: BIG } },
    ],
  },
  {
    name: "a patch of more than 3 MiB is a 413",
    steps: [
      { request: `PATCH ${CM}/a?fieldManager=m`, body: configMap("a", { data: { a: BIG } }), type: "apply" },
      { request: `PATCH ${WIDGETS}/a?fieldManager=m`, body: widget("a", { title: BIG }), type: "apply" },
      { request: `PATCH ${CM}/a`, body: { data: { a: BIG } }, type: "merge" },
      { request: `PATCH ${WIDGETS}/a`, body: { spec: { title: BIG } }, type: "merge" },
    ],
  },
  {
    name: "a JSON patch of more than 10000 operations is a 413",
    steps: [
      { request: `POST ${CM}`, body: configMap("a"), quiet: true },
      { request: `PATCH ${CM}/a`, body: operations(10_001), type: "patch" },
      { request: `PATCH ${CM}/none`, body: operations(10_001), type: "patch" },
    ],
  },
];
