import type { Case, Step } from "../case.ts";
import { CM, configMap, GADGETS, gadget, ownedBy } from "./samples.ts";

type Reference = Record<string, unknown>;

const cm = (name: string, ...owners: Reference[]): Step => ({
  request: `POST ${CM}`,
  body: configMap(name, {}, { ...(owners.length > 0 && { ownerReferences: owners }) }),
  keep: name,
  quiet: true,
});
const owner = (kept: string, rest: Reference = {}): Reference => ({
  ...(ownedBy(kept).ownerReferences as Reference[])[0]!,
  ...rest,
});
const read = (name: string): Step => ({ request: `GET ${CM}/${name}` });
const gone = (name: string): Step => ({ request: `GET ${CM}/${name}`, until: { status: 404 } });
const del = (name: string, policy = "Background"): Step => ({
  request: `DELETE ${CM}/${name}?propagationPolicy=${policy}`,
  quiet: true,
});
const NO_ONE = "no-one";
/** Collected at once: what came before it has been looked at when it is gone. */
const sentinel: Step[] = [
  cm("sentinel", { apiVersion: "v1", kind: "ConfigMap", name: "none", uid: NO_ONE }),
  gone("sentinel"),
];

/** The garbage collector: who counts as an owner, and whom a foreground deletion waits for. */
export const owners: readonly Case[] = [
  {
    name: "foreground deletion does not wait for a dependent with another owner",
    steps: [
      cm("a"),
      cm("o"),
      cm("b", owner("a", { blockOwnerDeletion: true }), owner("o")),
      del("a", "Foreground"),
      gone("a"),
      read("b"),
    ],
  },
  {
    name: "foreground deletion of two owners takes the dependent",
    steps: [
      cm("a"),
      cm("o"),
      cm("b", owner("a", { blockOwnerDeletion: true }), owner("o", { blockOwnerDeletion: true })),
      del("a", "Foreground"),
      gone("a"),
      del("o", "Foreground"),
      gone("o"),
      gone("b"),
    ],
  },
  {
    name: "foreground deletion goes down three levels",
    steps: [
      cm("a"),
      cm("b", owner("a", { blockOwnerDeletion: true })),
      cm("c", owner("b", { blockOwnerDeletion: true })),
      del("a", "Foreground"),
      gone("a"),
      gone("b"),
      gone("c"),
    ],
  },
  {
    name: "an object whose owner is of an unknown kind stays",
    steps: [
      cm("b", { apiVersion: "no.example.com/v1", kind: "None", name: "none", uid: NO_ONE }),
      cm("c", { apiVersion: "v2", kind: "ConfigMap", name: "none", uid: NO_ONE }),
      cm(
        "d",
        { apiVersion: "no.example.com/v1", kind: "None", name: "none", uid: NO_ONE },
        { apiVersion: "v1", kind: "ConfigMap", name: "none", uid: "no-one-else" },
      ),
      ...sentinel,
      read("b"),
      read("c"),
      read("d"),
    ],
  },
  {
    name: "an owner's uid under another name does not count",
    steps: [cm("a"), cm("b", owner("a", { name: "other" })), gone("b"), read("a")],
  },
  {
    name: "an owner in another namespace does not count",
    steps: [
      {
        request: "POST /api/v1/namespaces/default/configmaps",
        body: configMap("owner-{id}"),
        keep: "a",
        quiet: true,
      },
      cm("b", owner("a")),
      gone("b"),
      { request: "DELETE /api/v1/namespaces/default/configmaps/owner-{id}", quiet: true },
    ],
  },
  {
    name: "a namespaced owner of a cluster-scoped object is left alone",
    steps: [
      cm("a"),
      { request: `POST ${GADGETS}`, body: gadget("g-{id}", {}, { ownerReferences: [owner("a")] }), quiet: true },
      ...sentinel,
      { request: `GET ${GADGETS}/g-{id}` },
      { request: `DELETE ${GADGETS}/g-{id}`, quiet: true },
    ],
  },
  {
    name: "an owner reference that is added to nobody is collected",
    steps: [
      cm("b"),
      {
        request: `PATCH ${CM}/b`,
        body: {
          metadata: { ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "none", uid: NO_ONE }] },
        },
        type: "merge",
        quiet: true,
      },
      gone("b"),
    ],
  },
];
