import type { Case, Step } from "../case.ts";
import { CM, configMap, WIDGETS, widget } from "./samples.ts";

const post: Step = {
  request: `POST ${CM}?fieldManager=creator`,
  body: configMap("a", { data: { k: "v" } }, { labels: { x: "1" } }),
  keep: "a",
};
const merge = (manager: string, body: unknown): Step => ({
  request: `PATCH ${CM}/a?fieldManager=${manager}`,
  body,
  type: "merge",
});

/** Who owns what. */
export const managedFields: readonly Case[] = [
  { name: "the creator owns what it gave", steps: [post] },
  {
    name: "the manager's name comes from the user agent",
    steps: [
      {
        request: `POST ${CM}`,
        body: configMap("a", { data: { k: "v" } }),
        headers: { "user-agent": "tool/v1 (linux)" },
      },
    ],
  },
  { name: "a second updater owns what it changed", steps: [post, merge("other", { data: { k: "w", l: "1" } })] },
  { name: "an updater loses what another removes", steps: [post, merge("other", { data: { k: null } })] },
  {
    name: "an updater that changes all of another's fields displaces it",
    steps: [
      { request: `POST ${CM}?fieldManager=creator`, body: configMap("a", { data: { k: "v" } }) },
      merge("other", { data: { k: "w" } }),
      merge("other", { data: null }),
    ],
  },
  {
    name: "managedFields of the wrong shape are ignored",
    steps: [
      {
        request: `POST ${CM}`,
        body: configMap(
          "a",
          {},
          {
            managedFields: [
              { manager: "x", operation: "Nonsense", apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1: {} },
            ],
          },
        ),
      },
      {
        request: `POST ${CM}`,
        body: configMap(
          "a",
          {},
          {
            managedFields: [{ manager: "x", operation: "Update", apiVersion: "v1", fieldsType: "Other", fieldsV1: {} }],
          },
        ),
      },
    ],
  },
  {
    name: "one empty entry resets managedFields, an apply then conflicts with what was before it",
    steps: [
      post,
      merge("other", { metadata: { managedFields: [{}] } }),
      merge("other", { data: { z: "1" } }),
      { request: `PATCH ${CM}/a?fieldManager=m`, body: configMap("a", { data: { z: "2" } }), type: "apply" },
    ],
  },
  {
    name: "an empty list of managedFields resets them",
    steps: [post, merge("other", { metadata: { managedFields: [] } })],
  },
  {
    name: "an update may rewrite managedFields",
    steps: [
      post,
      merge("other", {
        metadata: {
          managedFields: [
            {
              manager: "creator",
              operation: "Apply",
              apiVersion: "v1",
              time: "2020-01-01T00:00:00Z",
              fieldsType: "FieldsV1",
              fieldsV1: { "f:data": { "f:k": {} } },
            },
          ],
        },
      }),
      { request: `PATCH ${CM}/a?fieldManager=creator`, body: configMap("a"), type: "apply" },
    ],
  },
  {
    name: "eleven updaters are folded into ten",
    steps: [
      post,
      ..."abcdefghijk"
        .split("")
        .map((letter): Step => ({ ...merge(letter, { data: { [letter]: "1" } }), quiet: true })),
      { request: `GET ${CM}/a` },
    ],
  },
  {
    name: "the status of a custom resource has an entry of its own",
    steps: [
      { request: `POST ${WIDGETS}?fieldManager=creator`, body: widget("a") },
      { request: `PATCH ${WIDGETS}/a/status?fieldManager=creator`, body: { status: { phase: "x" } }, type: "merge" },
      { request: `PATCH ${WIDGETS}/a?fieldManager=creator`, body: { spec: { title: "x" } }, type: "merge" },
    ],
  },
  {
    name: "lists by keys and sets are owned item by item",
    steps: [
      {
        request: `POST ${WIDGETS}?fieldManager=creator`,
        body: widget("a", {
          title: "t",
          tags: ["a", "b"],
          ports: [{ name: "p" }],
          list: [{ a: "1" }],
          map: { a: "1" },
          whole: { a: "1" },
          open: { a: { b: [1] } },
        }),
      },
      {
        request: `PATCH ${WIDGETS}/a?fieldManager=other`,
        body: { spec: { tags: ["b", "c"], ports: [{ name: "p", port: 81 }, { name: "q" }] } },
        type: "merge",
      },
    ],
  },
  {
    name: "owner references and finalizers are owned item by item",
    steps: [
      { request: `POST ${CM}`, body: configMap("o"), keep: "o", quiet: true },
      {
        request: `POST ${CM}?fieldManager=creator`,
        body: configMap(
          "a",
          {},
          {
            finalizers: ["example.com/f"],
            ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "o", uid: "{o.metadata.uid}" }],
          },
        ),
      },
      merge("other", { metadata: { finalizers: null, ownerReferences: null } }),
    ],
  },
];
