import type { Case, Step } from "../case.ts";
import { CM, configMap, WIDGETS, widget } from "./samples.ts";

const L = `${CM}?labelSelector=x`;
const three: Step[] = ["a", "b", "c"].map((name, index) => ({
  request: `POST ${CM}`,
  body: configMap(name, { data: { name } }, { labels: { x: name, n: String(index), ...(index > 0 && { y: "1" }) } }),
  keep: name,
  quiet: true,
}));
const two: Step[] = ["a", "b"].map((name, index) => ({
  request: `POST ${WIDGETS}`,
  body: widget(name, { title: name, color: index ? "red" : "green", size: index + 4 }),
  keep: name,
  quiet: true,
}));

/** Lists: pages, selectors, versions. */
export const lists: readonly Case[] = [
  {
    name: "a list holds all objects in the order of their names",
    steps: [...three.toReversed(), { request: `GET ${L}` }],
  },
  { name: "an empty list is a list", steps: [{ request: `GET ${L}` }, { request: `GET ${WIDGETS}` }] },
  {
    name: "items of a built-in kind carry no kind, of a custom resource they do",
    steps: [...three, ...two, { request: `GET ${L}` }, { request: `GET ${WIDGETS}` }],
  },
  {
    name: "a page holds so many and a token",
    steps: [
      ...two,
      { request: `GET ${WIDGETS}?limit=1`, keep: "p" },
      { request: `GET ${WIDGETS}?limit=1&continue={p.metadata.continue}`, keep: "q" },
    ],
  },
  { name: "a page with a selector tells no remaining count", steps: [...three, { request: `GET ${L}&limit=2` }] },
  {
    name: "later pages show the list as it was",
    steps: [
      ...two,
      { request: `GET ${WIDGETS}?limit=1`, keep: "p" },
      { request: `DELETE ${WIDGETS}/b` },
      { request: `GET ${WIDGETS}?limit=1&continue={p.metadata.continue}` },
      { request: `GET ${WIDGETS}` },
    ],
  },
  { name: "a limit as large as the list needs no token", steps: [...two, { request: `GET ${WIDGETS}?limit=2` }] },
  { name: "a token that is none is a 400", steps: [{ request: `GET ${CM}?limit=1&continue=nonsense` }] },
  {
    name: "a token with a resourceVersion is a 400",
    steps: [
      ...two,
      { request: `GET ${WIDGETS}?limit=1`, keep: "p", quiet: true },
      { request: `GET ${WIDGETS}?limit=1&resourceVersion=1&continue={p.metadata.continue}` },
    ],
  },
  { name: "a limit that is no number is a 400", steps: [{ request: `GET ${CM}?limit=x` }] },
  {
    name: "a label selector by equality",
    steps: [
      ...three,
      { request: `GET ${CM}?labelSelector=x%3Da` },
      { request: `GET ${CM}?labelSelector=x%3D%3Db,y%3D1` },
    ],
  },
  {
    name: "a label selector by inequality takes those without the label",
    steps: [...three, { request: `GET ${CM}?labelSelector=y!%3D1,x` }],
  },
  {
    name: "a label selector by set",
    steps: [
      ...three,
      { request: `GET ${CM}?labelSelector=x%20in%20(a,c)` },
      { request: `GET ${CM}?labelSelector=x%20notin%20(a),x` },
    ],
  },
  {
    name: "a label selector by presence and absence",
    steps: [...three, { request: `GET ${CM}?labelSelector=y` }, { request: `GET ${CM}?labelSelector=!y,x` }],
  },
  {
    name: "a label selector by order",
    steps: [...three, { request: `GET ${CM}?labelSelector=n%3E0` }, { request: `GET ${CM}?labelSelector=n%3C1` }],
  },
  {
    name: "a label selector that is none is a 400",
    steps: [{ request: `GET ${CM}?labelSelector=a%3D%3D%3Db` }, { request: `GET ${CM}?labelSelector=a%20in%20b` }],
  },
  {
    name: "a label selector with a value that is none is a 400",
    steps: [{ request: `GET ${CM}?labelSelector=a%3Db%20c` }],
  },
  {
    name: "a field selector by name and namespace",
    steps: [
      ...three,
      { request: `GET ${CM}?fieldSelector=metadata.name%3Da` },
      { request: `GET ${CM}?fieldSelector=metadata.name!%3Da&labelSelector=x` },
      { request: `GET ${CM}?fieldSelector=metadata.namespace%3Dother` },
    ],
  },
  {
    name: "a field selector that the kind has not is a 400",
    steps: [
      { request: `GET ${CM}?fieldSelector=data.x%3Da` },
      { request: `GET ${WIDGETS}?fieldSelector=spec.title%3Da` },
    ],
  },
  { name: "a field selector that is none is a 400", steps: [{ request: `GET ${CM}?fieldSelector=nonsense` }] },
  {
    name: "a custom resource's selectable fields",
    steps: [
      ...two,
      { request: `GET ${WIDGETS}?fieldSelector=spec.color%3Dred` },
      { request: `GET ${WIDGETS}?fieldSelector=spec.size%3D4` },
    ],
  },
  {
    name: "a list over all namespaces",
    steps: [...three, { request: "GET /api/v1/configmaps?labelSelector=x&fieldSelector=metadata.namespace%3D{ns}" }],
  },
  {
    name: "a list of an absent namespace is empty",
    steps: [{ request: "GET /api/v1/namespaces/none-{id}/configmaps" }],
  },
  {
    name: "a list as of an exact version",
    steps: [...three, { request: `GET ${L}&resourceVersion={b.metadata.resourceVersion}&resourceVersionMatch=Exact` }],
  },
  {
    name: "a list not older than a version",
    steps: [
      ...three,
      { request: `GET ${L}&resourceVersion={b.metadata.resourceVersion}&resourceVersionMatch=NotOlderThan` },
      { request: `GET ${L}&resourceVersion={b.metadata.resourceVersion}` },
    ],
  },
  {
    name: "a page as of a version",
    steps: [...three, { request: `GET ${L}&limit=5&resourceVersion={b.metadata.resourceVersion}` }],
  },
  { name: "a list from any version", steps: [{ request: `GET ${L}&resourceVersion=0` }] },
  {
    name: "a match without a version is refused",
    steps: [
      { request: `GET ${CM}?resourceVersionMatch=Exact` },
      { request: `GET ${CM}?resourceVersionMatch=Exact&resourceVersion=0` },
      { request: `GET ${CM}?resourceVersionMatch=Nonsense&resourceVersion=1` },
    ],
  },
  {
    name: "a version that is no number is refused",
    steps: [{ request: `GET ${CM}?resourceVersion=x` }, ...three, { request: `GET ${CM}/a?resourceVersion=x` }],
  },
  {
    name: "a version that is still to come is a 504",
    steps: [
      ...three,
      { request: `GET ${L}&resourceVersion=999999999` },
      { request: `GET ${CM}/a?resourceVersion=999999999` },
    ],
  },
];
