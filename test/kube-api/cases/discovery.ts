import type { Case } from "../case.ts";

/** How clients learn what is served. Only what both servers have is compared. */
export const discovery: readonly Case[] = [
  {
    name: "the resources of a custom group",
    steps: [
      { request: "GET /apis/kube-api.example.com" },
      { request: "GET /apis/kube-api.example.com/v1" },
      { request: "GET /apis/kube-api.example.com/v2" },
    ],
  },
  {
    name: "a group or version that is not there",
    steps: [
      { request: "GET /apis/none.example.com" },
      { request: "GET /apis/none.example.com/v1" },
      { request: "GET /apis/kube-api.example.com/v3" },
    ],
  },
  { name: "the versions of the core group", steps: [{ request: "GET /api" }] },
  { name: "health", steps: [{ request: "GET /readyz" }, { request: "GET /livez" }, { request: "GET /healthz" }] },
];
