import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { crdOf } from "../../functions/kube/crd.ts";
import { customResource } from "../../functions/kube/custom-resource.ts";
import { applyCrd, sharedCluster } from "./support/cluster.ts";
import { KubeStatusError } from "./support/kube-api.ts";

const spec = z.object({
  title: z.string().min(1).max(5),
  size: z.int().min(0).max(10),
  ratio: z.number().gt(0).lte(1).optional(),
  mode: z.enum(["a", "b"]).default("a"),
  port: z.union([z.int(), z.string().max(3)]),
  tags: z
    .array(z.string().regex(/^[a-z]+$/i))
    .max(2)
    .default([]),
  limits: z.record(z.string(), z.int()).optional(),
  note: z.string().nullable(),
  at: z.iso.datetime().optional(),
  nested: z.object({ on: z.boolean(), deep: z.object({ n: z.int32() }).optional() }).optional(),
  anything: z.unknown().optional(),
});

const Agreed = customResource({
  group: "agreement.sluice.test",
  version: "v1",
  kind: "Agreed",
  plural: "agreeds",
  scope: "Namespaced",
  spec,
});

const { api } = sharedCluster();
const crdPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/agreeds.agreement.sluice.test";

beforeAll(() => applyCrd(api, crdOf(Agreed)));

afterAll(async () => {
  await api.delete(crdPath);
  await api.close();
});

const text = fc.string({ maxLength: 6 });
const word = fc.stringMatching(/^[a-z]{1,3}$/);
const scalar = fc.oneof(
  text,
  fc.integer({ min: -2, max: 12 }),
  fc.double({ min: -2, max: 2, noNaN: true }),
  fc.boolean(),
);
const other = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.dictionary(word, scalar, { maxKeys: 2 }));
const mostly = (fitting: fc.Arbitrary<unknown>) => fc.oneof({ arbitrary: fitting, weight: 30 }, other);

/** Specs that fit, or break in a place or two. Nulls stand only where they may: the API server drops any other. */
const specs = fc.record(
  {
    title: mostly(fc.string({ minLength: 1, maxLength: 5 })),
    size: mostly(fc.integer({ min: 0, max: 10 })),
    ratio: mostly(fc.double({ min: 0.01, max: 1, noNaN: true })),
    mode: mostly(fc.constantFrom("a", "b")),
    port: mostly(fc.oneof(fc.integer(), word)),
    tags: mostly(fc.array(word, { maxLength: 2 })),
    limits: mostly(fc.dictionary(word, fc.integer())),
    note: fc.oneof(mostly(text), fc.constant(null)),
    at: mostly(
      fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true }).map((d) => d.toISOString()),
    ),
    nested: mostly(fc.record({ on: fc.boolean(), deep: fc.record({ n: fc.integer() }) }, { requiredKeys: ["on"] })),
    anything: fc.oneof(other, fc.constant(null)),
  },
  { requiredKeys: ["title", "size", "port", "note"] },
);

test("whatever zod takes the API server takes, with the same defaults, and what zod refuses it refuses", async () => {
  const seen = { taken: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(fc.noBias(specs), async (input) => {
      const parsed = z.safeParse(spec, input);
      const answer = await api
        .request("POST", "/apis/agreement.sluice.test/v1/namespaces/default/agreeds?dryRun=All", {
          apiVersion: Agreed.apiVersion,
          kind: Agreed.kind,
          metadata: { name: "it" },
          spec: input,
        })
        .catch((error: unknown) => error);
      if (parsed.success) expect(answer).toMatchObject({ spec: JSON.parse(JSON.stringify(parsed.data)) });
      else expect(answer).toSatisfy((error) => error instanceof KubeStatusError && error.status === 422);
      seen[parsed.success ? "taken" : "refused"]++;
    }),
    { numRuns: 400 },
  );
  expect(seen.taken).toBeGreaterThan(50);
  expect(seen.refused).toBeGreaterThan(50);
});
