import type { Case } from "../case.ts";
import { CM, CRDS, configMap, GADGETS, WIDGETS, widget } from "./samples.ts";

const nobody = { headers: { "impersonate-user": "nobody" } };

/** What a user without any rule is told. */
export const access: readonly Case[] = [
  {
    name: "a get, a list and a watch are a 403",
    steps: [
      { request: `GET ${CM}/a`, ...nobody },
      { request: `GET ${CM}`, ...nobody },
      { request: `GET ${CM}?watch=true`, ...nobody },
      { request: `GET ${CM}?fieldSelector=metadata.name%3Da`, ...nobody },
    ],
  },
  {
    name: "a read over all namespaces is a 403 at the cluster scope",
    steps: [
      { request: "GET /api/v1/configmaps", ...nobody },
      { request: `GET ${GADGETS}/a`, ...nobody },
      { request: "GET /api/v1/namespaces/{ns}", ...nobody },
    ],
  },
  {
    name: "writes are a 403",
    steps: [
      { request: `POST ${WIDGETS}`, body: widget("a"), ...nobody },
      { request: `PUT ${WIDGETS}/a`, body: widget("a"), ...nobody },
      { request: `PATCH ${WIDGETS}/a`, body: {}, type: "merge", ...nobody },
      { request: `DELETE ${WIDGETS}/a`, ...nobody },
      { request: `DELETE ${WIDGETS}`, ...nobody },
    ],
  },
  {
    name: "an apply is a 403",
    steps: [{ request: `PATCH ${CM}/a?fieldManager=m`, body: configMap("a"), type: "apply", ...nobody }],
  },
  {
    name: "a subresource is a 403 by its name",
    steps: [{ request: `PATCH ${WIDGETS}/a/status`, body: {}, type: "merge", ...nobody }],
  },
  {
    name: "a kind that is not there is a 403 as well",
    steps: [{ request: "GET /apis/none.example.com/v1/namespaces/{ns}/things/a", ...nobody }],
  },
  { name: "a CRD is a 403", steps: [{ request: `GET ${CRDS}`, ...nobody }] },
  {
    name: "a token that nobody has is a 401",
    steps: [{ request: `GET ${CM}`, headers: { authorization: "Bearer nonsense" } }],
  },
];
