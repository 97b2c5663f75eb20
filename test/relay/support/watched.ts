import type { Manifest } from "../../../functions/contract/index.ts";
import type { KubeObject } from "../../../functions/kube/resource.ts";
import type { Unmapped } from "../../../infra/relay/map/mapper.ts";
import { createReferences } from "../../../infra/relay/map/references.ts";
import { planWatches } from "../../../infra/relay/plan/plan.ts";
import { createStore } from "../../../infra/relay/store/store.ts";
import type { WatchEventType } from "../../../infra/relay/watch/watch.ts";

/** The stores of all watches of a manifest, and what they trigger. */
export function watched(manifest: Manifest) {
  const references = createReferences();
  const plans = planWatches(manifest);
  let hits: string[] = [];
  let list = 0;
  /** What code was asked, oldest first. */
  const asked: Unmapped[] = [];
  const stores = new Map(
    plans.map((plan) => [
      plan.resource.plural,
      createStore(
        plan,
        references,
        (found, { lane }) => {
          for (const { key } of found)
            hits.push(`${lane} ${key.controller} ${key.namespace === undefined ? "" : `${key.namespace}/`}${key.name}`);
        },
        undefined,
        { map: (item) => void asked.push(item) },
      ),
    ]),
  );
  const taken = (): string[] => {
    const result = hits.sort();
    hits = [];
    return result;
  };
  const storeOf = (plural: string) => {
    const store = stores.get(plural);
    if (!store) throw new Error(`no watch of ${plural}`);
    return store;
  };
  return {
    storeOf,
    asked,
    /** What an answer of the code triggers. */
    told(item: Unmapped | undefined, ids: readonly string[], newest = true): string[] {
      item!.answered(ids, newest);
      return taken();
    },
    /** What an event triggers: `live documents default/a`. */
    event(plural: string, type: WatchEventType, object: KubeObject): string[] {
      storeOf(plural).observe(type, object);
      return taken();
    },
    /** What a whole list triggers. */
    list(plural: string, items: readonly KubeObject[], all = false): string[] {
      list++;
      storeOf(plural).take(items, list, all);
      storeOf(plural).sweep(list);
      return taken();
    },
    taken,
  };
}
