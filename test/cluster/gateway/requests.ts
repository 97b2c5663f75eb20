import type { RbacRule } from "../../../functions/contract/index.ts";
import type { Sent } from "./served-gateway.ts";

/** One request a verb, on Widgets of a namespace in which there is one named `there`; none of them changes anything. */
export const REQUESTS = {
  get: { needs: ["get"], of: (root) => ["GET", `${root}/there`, {}] },
  list: { needs: ["list"], of: (root) => ["GET", `${root}?limit=10`, {}] },
  create: {
    needs: ["create"],
    of: (root) => ["POST", `${root}?fieldManager=documents&dryRun=All`, { body: widget("new") }],
  },
  "merge patch": {
    needs: ["patch"],
    of: (root) => [
      "PATCH",
      `${root}/there?fieldManager=documents&dryRun=All`,
      { body: '{"spec":{"text":"two"}}', type: "application/merge-patch+json" },
    ],
  },
  "JSON patch": {
    needs: ["patch"],
    of: (root) => [
      "PATCH",
      `${root}/there?fieldManager=documents&dryRun=All`,
      { body: '[{"op":"replace","path":"/spec/text","value":"two"}]', type: "application/json-patch+json" },
    ],
  },
  "apply of what is absent": {
    needs: ["patch", "create"],
    of: (root) => [
      "PATCH",
      `${root}/absent?fieldManager=documents&dryRun=All`,
      { body: widget("absent"), type: "application/apply-patch+yaml" },
    ],
  },
  "patch of the status": {
    needs: ["patch the status"],
    of: (root) => [
      "PATCH",
      `${root}/there/status?fieldManager=documents&dryRun=All`,
      { body: '[{"op":"add","path":"/status","value":{"phase":"Odd"}}]', type: "application/json-patch+json" },
    ],
  },
  delete: { needs: ["delete"], of: (root) => ["DELETE", `${root}/there?dryRun=All`, {}] },
} satisfies Record<string, { needs: Grant[]; of: (root: string) => [string, string, Sent] }>;

export type RequestName = keyof typeof REQUESTS;
export const REQUEST_NAMES = Object.keys(REQUESTS) as RequestName[];

/** What a rule can allow, one at a time. */
export const GRANTS = ["get", "list", "create", "patch", "patch the status", "delete"] as const;
export type Grant = (typeof GRANTS)[number];

/** Sets of grants: none, each alone, the two of an apply, all. */
export const GRANT_SETS: readonly (readonly Grant[])[] = [
  [],
  ...GRANTS.map((grant) => [grant]),
  ["create", "patch"],
  GRANTS,
];

export function rulesOf(grants: readonly Grant[], namespaces?: string[]): RbacRule[] {
  const verbs = grants.filter((grant) => grant !== "patch the status");
  const rule = (resource: string, allowed: readonly string[]): RbacRule => ({
    apiGroups: ["test.sluice.dev"],
    resources: [resource],
    verbs: [...allowed],
    ...(namespaces && { namespaces }),
  });
  return [
    ...(verbs.length > 0 ? [rule("widgets", verbs)] : []),
    ...(grants.includes("patch the status") ? [rule("widgets/status", ["patch"])] : []),
  ];
}

/** @example widgetsIn("default") // the path of its Widgets */
export const widgetsIn = (namespace: string): string => `/apis/test.sluice.dev/v1/namespaces/${namespace}/widgets`;

export function widget(name: string): string {
  const spec = { text: "one" };
  return JSON.stringify({ apiVersion: "test.sluice.dev/v1", kind: "Widget", metadata: { name }, spec });
}
