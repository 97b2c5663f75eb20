import { describe, expect, it } from "vitest";
import type { Manifest, Relation } from "../../functions/contract/index.ts";
import { planWatches } from "../../infra/relay/plan/plan.ts";
import { diffPlans, newRelations, renewedControllers } from "../../infra/relay/plan/plan-diff.ts";
import { configMaps, documents, manifestOf, relationOf } from "./support/objects.ts";
import { deployment, named, owned, primary } from "./support/redeployed.ts";

const DOCUMENTS = "/apis/example.com/v1/documents";
const CONFIG_MAPS = "/api/v1/configmaps";
const SECRETS = "/api/v1/secrets";

/** What becomes of each watch: `dropped`, `added`, `widened by` its new relations, `narrowed`. */
function changes(before: Record<string, Relation[]>, after: Record<string, Relation[]>): string[] {
  const old = planWatches(manifestOf(before));
  const { dropped, added, widened, narrowed } = diffPlans(old, planWatches(manifestOf(after)));
  return [
    ...dropped.map(({ id }) => `${id} dropped`),
    ...added.map(({ id }) => `${id} added`),
    ...widened.map((plan) => {
      const found = newRelations(
        old.find(({ id }) => id === plan.id),
        plan,
      );
      return `${plan.id} widened by ${found.map(({ controller, mapping }) => `${controller} ${mapping.by}`).join(", ")}`;
    }),
    ...narrowed.map(({ id }) => `${id} narrowed`),
  ];
}

const selected = (team: string) => relationOf({ watch: { resource: documents, matchLabels: { team } } });
const fallback = (...labels: string[]) => ({ fallback: labels.map((label) => ({ labels: [label] })) });
const annotation = (annotation: string) => ({ by: "annotation", annotation }) as const;
const code = (code: string) => ({ by: "code", code, objects: "metadata" }) as const;
const docs = { docs: [primary, owned()] };

describe("R6, R12 what a new manifest does to a watch", () => {
  it.each<[string, Record<string, Relation[]>, Record<string, Relation[]>, string[]]>([
    ["nothing where all is as before", docs, docs, []],
    ["a new kind adds one", { docs: [primary] }, docs, [`${CONFIG_MAPS} added`]],
    ["a kind that is left out drops one", docs, { docs: [primary] }, [`${CONFIG_MAPS} dropped`]],
    [
      "another selector is another watch",
      { docs: [selected("x")] },
      { docs: [selected("y")] },
      [`${DOCUMENTS}?team=x dropped`, `${DOCUMENTS}?team=y added`],
    ],
    [
      "other namespaces are other watches",
      { docs: [relationOf({ watch: { resource: documents, namespaces: ["m", "n"] } })] },
      { docs: [relationOf({ watch: { resource: documents, namespaces: ["n", "o"] } })] },
      ["/apis/example.com/v1/namespaces/m/documents dropped", "/apis/example.com/v1/namespaces/o/documents added"],
    ],
    [
      "another controller of the same kind widens it",
      docs,
      { ...docs, more: [primary] },
      [`${DOCUMENTS} widened by more self`],
    ],
    ...(
      [
        ["other labels of a predicate", { predicate: { labels: ["a"] } }, { predicate: { labels: ["b"] } }],
        ["another order of a fallback", { predicate: fallback("a", "b") }, { predicate: fallback("b", "a") }],
        ["another annotation", { mapping: annotation("a") }, { mapping: annotation("b") }],
        ["another field", { mapping: { by: "field", field: ".a" } }, { mapping: { by: "field", field: ".b" } }],
        ["other code", { mapping: code("1") }, { mapping: code("2") }],
      ] as const
    ).map(([what, before, after]): [string, Record<string, Relation[]>, Record<string, Relation[]>, string[]] => [
      `${what} is a new relation`,
      { docs: [primary, owned({ ...before } as Partial<Relation>)] },
      { docs: [primary, owned({ ...after } as Partial<Relation>)] },
      [expect.stringContaining(`${CONFIG_MAPS} widened by docs`)],
    ]),
    [
      "the same predicate and code are nothing new, wherever their values are kept",
      { docs: [primary, owned({ predicate: { labels: ["a"] }, mapping: code("1") })] },
      {
        more: [primary, owned({ predicate: { annotations: ["x"] } })],
        docs: [primary, owned({ predicate: { labels: ["a"] }, mapping: code("1") })],
      },
      [`${DOCUMENTS} widened by more self`, `${CONFIG_MAPS} widened by more owner`],
    ],
    [
      "another field selector is another watch",
      { docs: [relationOf({ watch: { resource: documents, matchFields: { ".metadata.name": "a" } } })] },
      { docs: [relationOf({ watch: { resource: documents, matchFields: { ".metadata.name": "b" } } })] },
      [`${DOCUMENTS}?fields:metadata.name=a dropped`, `${DOCUMENTS}?fields:metadata.name=b added`],
    ],
    [
      "another predicate is a new relation",
      docs,
      { docs: [{ ...primary, predicate: "resourceVersion" }, owned()] },
      [`${DOCUMENTS} widened by docs self`],
    ],
    [
      "another mapping is a new relation",
      docs,
      { docs: [primary, owned({ mapping: { by: "owner", owner: "any" } })] },
      [`${CONFIG_MAPS} widened by docs owner`],
    ],
    [
      "own writes that are ignored now make a new relation",
      docs,
      { docs: [primary, owned({ ownWrites: "ignore" })] },
      [`${CONFIG_MAPS} widened by docs owner`],
    ],
    [
      "a field that names others has to be read from the primaries",
      docs,
      { docs: [primary, owned(), named(".spec.secretName")] },
      [`${SECRETS} added`, `${DOCUMENTS} widened by docs self`],
    ],
    [
      "another field changes both sides",
      { docs: [primary, named(".spec.a")] },
      { docs: [primary, named(".spec.b")] },
      [`${DOCUMENTS} widened by docs self`, `${SECRETS} widened by docs namedBy`],
    ],
    [
      "a controller less narrows what it shared",
      { ...docs, more: [primary] },
      { more: [primary] },
      [`${CONFIG_MAPS} dropped`, `${DOCUMENTS} narrowed`],
    ],
    [
      "another order of controllers, whose managers and fields move, is no new relation",
      {
        a: [primary, owned({ ownWrites: "ignore" }), named(".spec.a")],
        b: [primary, owned({ ownWrites: "ignore" }), named(".spec.b")],
      },
      {
        b: [primary, owned({ ownWrites: "ignore" }), named(".spec.b")],
        a: [primary, owned({ ownWrites: "ignore" }), named(".spec.a")],
      },
      [`${DOCUMENTS} narrowed`, `${CONFIG_MAPS} narrowed`, `${SECRETS} narrowed`],
    ],
  ])("%s", (_, before, after, expected) => {
    expect(changes(before, after)).toEqual(expected);
  });
});

describe("R12 controllers whose keys are reconciled anew", () => {
  const one = (revision: string, relations = [primary]) => ({ revision, relations });
  const renewed = (before: Manifest | undefined, after: Manifest): string[] => {
    const old = before ? planWatches(before) : [];
    const plans = planWatches(after);
    const unseen = plans.flatMap((plan) =>
      newRelations(
        old.find(({ id }) => id === plan.id),
        plan,
      ),
    );
    return [...renewedControllers(before, after, unseen)];
  };
  const { a, b } = { a: one("a1"), b: one("b1") };

  it.each<[string, Manifest | undefined, Manifest, string[]]>([
    ["all of the first manifest", undefined, deployment({ a, b }), ["a", "b"]],
    ["none without a new revision", deployment({ a, b }), deployment({ a, b }), []],
    ["those of another revision", deployment({ a, b }), deployment({ a: one("a2"), b }), ["a"]],
    ["new ones", deployment({ a }), deployment({ a, b }), ["b"]],
    ["none that is no longer declared", deployment({ a, b }), deployment({ a }), []],
    [
      "those with a new relation, whatever their revision says",
      deployment({ a, b }),
      deployment({ a, b: one("b1", [primary, relationOf({ id: "x", watch: { resource: configMaps } })]) }),
      ["b"],
    ],
  ])("%s", (_, before, after, expected) => {
    expect(renewed(before, after)).toEqual(expected);
  });

  it("all, where controllers have no revision of their own and the deployment has a new one", () => {
    const before = manifestOf({ a: [primary], b: [primary] });
    expect(renewed(before, before)).toEqual([]);
    expect(renewed(before, { ...before, revision: "r2" })).toEqual(["a", "b"]);
  });
});
