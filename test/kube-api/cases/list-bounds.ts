import type { Case, Step } from "../case.ts";
import { SECRETS, secret, WIDGETS, widget } from "./samples.ts";

const add = (name: string, metadata: Record<string, unknown> = {}): Step => ({
  request: `POST ${SECRETS}`,
  body: secret(name, {}, metadata),
  keep: name,
  quiet: true,
});
const list = (query: string): Step => ({ request: `GET ${SECRETS}?${query}` });
const labels = (selector: string): Step => list(`labelSelector=${encodeURIComponent(selector)}`);
const fields = (selector: string): Step => list(`fieldSelector=${encodeURIComponent(selector)}`);

/** Limits of lists and collections' deletions, and selectors at their edges. */
export const listBounds: readonly Case[] = [
  {
    name: "a deletion of a collection with a limit",
    steps: [
      add("a"),
      add("b"),
      add("c"),
      { request: `DELETE ${SECRETS}?limit=1` },
      { request: `GET ${SECRETS}?labelSelector=x` },
      { request: `GET ${SECRETS}/a` },
      { request: `GET ${SECRETS}/b` },
      { request: `DELETE ${SECRETS}?limit=5` },
    ],
  },
  {
    name: "a deletion of a collection goes on where the last one ended",
    steps: [
      add("a", { finalizers: ["x.y/z"] }),
      add("b", { finalizers: ["x.y/z"] }),
      { request: `DELETE ${SECRETS}?limit=1`, keep: "page" },
      { request: `DELETE ${SECRETS}?limit=1&continue={page.metadata.continue}` },
      { request: `DELETE ${SECRETS}` },
      { request: `PATCH ${SECRETS}/a`, body: { metadata: { finalizers: null } }, type: "merge", quiet: true },
      { request: `PATCH ${SECRETS}/b`, body: { metadata: { finalizers: null } }, type: "merge", quiet: true },
    ],
  },
  {
    name: "a deletion of a collection as of a version",
    steps: [
      add("a"),
      { request: `DELETE ${SECRETS}?resourceVersion=1` },
      add("b"),
      { request: `DELETE ${SECRETS}?resourceVersion=x` },
      { request: `DELETE ${SECRETS}?dryRun=All` },
      { request: `GET ${SECRETS}/b` },
    ],
  },
  {
    name: "a deletion of a collection of custom resources that a finalizer holds",
    steps: [
      { request: `POST ${WIDGETS}`, body: widget("a", { title: "t" }, { finalizers: ["x.y/z"] }), quiet: true },
      { request: `DELETE ${WIDGETS}` },
      { request: `DELETE ${WIDGETS}?propagationPolicy=Foreground` },
      { request: `PATCH ${WIDGETS}/a`, body: { metadata: { finalizers: null } }, type: "merge", quiet: true },
    ],
  },
  {
    name: "a list as of any version knows no limit",
    steps: [add("a"), add("b"), list("limit=1&resourceVersion=0"), list("limit=1&resourceVersion=0&labelSelector=!x")],
  },
  {
    name: "a watch does not continue a list",
    steps: [
      list("watch=true&continue=x"),
      list("watch=true&limit=1&continue=x"),
      list("watch=true&resourceVersion=0&continue=x&timeoutSeconds=1"),
    ],
  },
  {
    name: "a label selector's key must be one",
    steps: [
      labels("-x=1"),
      labels("a/b/c"),
      labels("!a..b/c"),
      labels("x in (a),-y in (b)"),
      labels(`${"a".repeat(64)}=1`),
      labels("k=v=w"),
      labels("a b"),
      labels("%"),
    ],
  },
  {
    name: "a field selector with an escape",
    steps: [
      add("a"),
      fields("metadata.name=a\\,b"),
      fields("metadata.name=a\\=b"),
      fields("metadata.name!=a\\\\b"),
      fields("metadata.name=a\\b"),
      fields("metadata.name=a=b"),
      fields("metadata.name=a\\"),
    ],
  },
];
