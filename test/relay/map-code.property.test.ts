import fc from "fast-check";
import { expect, it } from "vitest";
import type { Unmapped } from "../../infra/relay/map/mapper.ts";
import { createReferences } from "../../infra/relay/map/references.ts";
import { planWatches } from "../../infra/relay/plan/plan.ts";
import { createStore } from "../../infra/relay/store/store.ts";
import { configMaps, documents, manifestOf, objectOf, relationOf } from "./support/objects.ts";

const manifest = manifestOf({
  docs: [
    relationOf({ watch: { resource: documents }, predicate: "generation" }),
    relationOf({
      id: "watches/ConfigMap",
      watch: { resource: configMaps },
      mapping: { by: "code", code: "c", objects: "full" },
    }),
  ],
});

type Step =
  | { do: "change"; object: number; keys: number[] }
  | { do: "delete" | "recreate"; object: number }
  | { do: "list" | "serve" | "fail" };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant("change" as const),
    object: fc.nat(1),
    keys: fc.uniqueArray(fc.nat(4), { maxLength: 3 }),
  }),
  fc.record({ do: fc.constantFrom("delete" as const, "recreate" as const), object: fc.nat(1) }),
  fc.record({
    do: fc.constantFrom("list" as const, "serve" as const, "serve" as const, "serve" as const, "fail" as const),
  }),
);

/** A server's objects, a store that watches them, and code that answers late, or not, one object at a time. */
class World {
  readonly objects = new Map<string, { uid: number; version: number; keys: string[] }>();
  readonly waiting = new Map<string, Unmapped>();
  /** When each key was woken last. */
  readonly woken = new Map<string, number>();
  /** Which keys an object's last change has to wake: those of its state, and those that were told before. */
  readonly due = new Map<string, { at: number; keys: Set<string> }>();
  /** What was told of each object that is there. */
  readonly told = new Map<string, readonly string[]>();
  underWay: Unmapped | undefined;
  now = 1;
  #list = 0;
  readonly #store = createStore(
    planWatches(manifest).find(({ resource }) => resource.plural === "configmaps")!,
    createReferences(),
    (hits) => {
      for (const { key } of hits) this.woken.set(`default/${key.name}`, this.now);
    },
    undefined,
    { map: (item) => void this.waiting.set(item.id, item) },
  );

  take(step: Step): void {
    this.now++;
    if (step.do === "change")
      this.#change(
        `cm-${step.object}`,
        step.keys.map((key) => `default/${key}`),
        0,
      );
    if (step.do === "recreate") this.#change(`cm-${step.object}`, ["default/0"], 1);
    if (step.do === "delete") this.#delete(`cm-${step.object}`);
    if (step.do === "list") this.#relist();
    if (step.do === "serve") this.#serve();
    if (step.do === "fail") this.#fail();
  }

  /** Nothing more happens, and all code answers. */
  rest(): void {
    while (this.underWay || this.waiting.size > 0) {
      this.now++;
      this.#serve();
    }
  }

  #change(name: string, keys: string[], uids: number): void {
    const before = this.objects.get(name);
    const object = { uid: (before?.uid ?? 0) + uids, version: this.now, keys };
    this.#expect(name, [...(this.told.get(name) ?? []), ...keys]);
    this.objects.set(name, object);
    this.#store.observe(before ? "MODIFIED" : "ADDED", this.#seen(name));
  }

  #delete(name: string): void {
    if (!this.objects.has(name)) return;
    this.objects.get(name)!.version = this.now;
    this.#expect(name, [...(this.told.get(name) ?? []), ...this.objects.get(name)!.keys]);
    this.#store.observe("DELETED", this.#seen(name));
    this.objects.delete(name);
    this.told.delete(name);
  }

  #relist(): void {
    this.#list++;
    this.#store.take(
      [...this.objects.keys()].map((name) => this.#seen(name)),
      this.#list,
      false,
    );
    this.#store.sweep(this.#list);
  }

  /** The code answers, and is asked the next. */
  #serve(): void {
    this.#answer();
    this.#ask();
  }

  #ask(): void {
    const [next] = this.waiting.values();
    if (this.underWay || !next) return;
    this.underWay = next;
    this.waiting.delete(next.id);
  }

  #answer(): void {
    const item = this.underWay;
    this.underWay = undefined;
    const { keys = [] } = (item?.object ?? {}) as { keys?: string[] };
    if (!item) return;
    const { name, uid } = item.object.metadata;
    if (`u${this.objects.get(name)?.uid}` === uid && !item.deleted) this.told.set(name, keys);
    item.answered(keys, !this.waiting.has(item.id));
  }

  #fail(): void {
    const item = this.underWay;
    this.underWay = undefined;
    if (item && !this.waiting.has(item.id)) this.waiting.set(item.id, item);
  }

  #expect(name: string, keys: string[]): void {
    this.due.set(name, { at: this.now, keys: new Set(keys) });
  }

  #seen(name: string) {
    const { uid, version, keys } = this.objects.get(name)!;
    return objectOf({ name, uid: `u${uid}`, resourceVersion: String(version) }, { keys });
  }
}

it("R4 R5 after the last change of an object, its keys and those that were told of it before are woken", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const world = new World();
      for (const each of steps) world.take(each);
      world.rest();
      for (const [name, { at, keys }] of world.due)
        for (const key of keys) expect(world.woken.get(key) ?? 0, `${key} of ${name}`).toBeGreaterThanOrEqual(at);
    }),
    { numRuns: 1_000 },
  );
});
