import fc from "fast-check";
import type { Trigger } from "../../../functions/contract/index.ts";
import type { CheckpointState, SavedWatch } from "../../../infra/relay/checkpoint/state.ts";
import { planWatches } from "../../../infra/relay/plan/plan.ts";
import type { ObjectRecord } from "../../../infra/relay/store/record.ts";
import { documents, manifestOf, relationOf } from "../support/objects.ts";
import { named, owned, primary } from "../support/redeployed.ts";

/** Three kinds, and Documents of one namespace more. */
export const plans = planWatches(
  manifestOf({
    docs: [primary, owned({ ownWrites: "ignore" }), named(".spec.secretName")],
    more: [relationOf({ watch: { resource: documents, namespaces: ["team-a"] } })],
  }),
);

export const recordOf = (over: Partial<ObjectRecord> = {}): ObjectRecord => ({
  ...{ uid: "5b6f0f0e-2f7e-4a5c-9a43-0d6f0c1d9a11", version: "1234567", generation: "3" },
  ...{ names: [], fields: [], writers: [], values: [], list: 0, ...over },
});

const texts = fc.oneof(fc.string({ unit: "binary", maxLength: 12 }), fc.constantFrom("", "0", "ü", '"\\', "\u2028"));
const writers = fc.record({ time: texts, others: fc.nat({ max: 2 ** 52 }) });
const records: fc.Arbitrary<ObjectRecord> = fc
  .record({
    ...{ uid: texts, version: texts, generation: texts },
    names: fc.array(fc.array(texts, { maxLength: 2 }), { maxLength: 3 }),
    fields: fc.array(texts, { maxLength: 2 }),
    writers: fc.array(writers, { maxLength: 2 }),
    values: fc.array(fc.nat({ max: 2 ** 48 }), { maxLength: 2 }),
    unmapped: fc.option(fc.constantFrom([0], [1, 2]), { nil: undefined }),
  })
  .map(({ unmapped, ...record }) => ({ ...record, ...(unmapped && { unmapped }), list: 0 }));

const triggers: fc.Arbitrary<Trigger> = fc.record(
  {
    controller: fc.constantFrom("docs", "more"),
    namespace: fc.constantFrom("default", "team-a"),
    name: fc.stringMatching(/^[a-z]{1,3}$/),
    reason: fc.constantFrom("object-updated", "bulk"),
    lane: fc.constantFrom("live", "resync"),
    ...{ uid: texts, cause: texts, revision: fc.constantFrom("r1", "r2") },
  },
  { requiredKeys: ["controller", "name", "reason", "lane"] },
);

const watchOf = (plan: SavedWatch["plan"]): fc.Arbitrary<SavedWatch> =>
  fc
    .record({
      cursor: fc.option(fc.constantFrom("1", "99999999999999999999"), { nil: undefined }),
      ...{ listed: fc.boolean(), fresh: fc.boolean() },
      records: fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-z]{0,4}\/[a-z]{1,6}$/), records), {
        selector: ([id]) => id,
        maxLength: 60,
      }),
    })
    .map(({ cursor, ...rest }) => ({ plan, ...(cursor !== undefined && { cursor }), ...rest }));

const pending = fc.uniqueArray(triggers, {
  selector: ({ controller, namespace, name }) => `${controller}/${namespace}/${name}`,
  maxLength: 20,
});

/** What of a state the parts and the positions hold. */
export const states: fc.Arbitrary<Pick<CheckpointState, "watches" | "pending">> = fc.record({
  watches: fc.subarray(plans).chain((chosen) => fc.tuple(...chosen.map(watchOf))),
  pending,
});

/** The same, whatever its order. */
export function sorted({ watches, pending }: Pick<CheckpointState, "watches" | "pending">) {
  const byText = (list: Iterable<unknown>) => [...list].map((each) => JSON.stringify(each)).sort();
  return {
    watches: byText(watches.map((watch) => ({ ...watch, records: byText(watch.records) }))),
    pending: byText(pending),
  };
}

/** A state with this many Documents. */
export function stateWith(count: number, over: (i: number) => Partial<ObjectRecord> = () => ({})): CheckpointState {
  const records = Array.from({ length: count }, (_, i) => [`default/document-${i}`, recordOf(over(i))] as const);
  return {
    declared: { revision: "r1", controllers: [{ name: "docs", revision: "d1" }] },
    watches: [{ plan: plans[0]!, cursor: "5", listed: true, fresh: false, records }],
    pending: [],
  };
}
