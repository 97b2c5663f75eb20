import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Trigger } from "../../functions/contract/index.ts";
import { createOutbox } from "../../infra/relay/outbox/outbox.ts";

const trigger = (name: string, lane: Trigger["lane"], cause = ""): Trigger => ({
  controller: "docs",
  namespace: "default",
  name,
  reason: "object-updated",
  lane,
  cause,
});
const shown = (batch: readonly Trigger[]) => batch.map(({ name, lane, cause }) => `${name} ${lane} ${cause}`.trim());

describe("R5 the outbox", () => {
  it("keeps one trigger a key, the newest", () => {
    const outbox = createOutbox();
    outbox.add(trigger("a", "live", "1"));
    outbox.add(trigger("a", "live", "2"));
    expect(outbox.size).toBe(1);
    expect(shown(outbox.take(9))).toEqual(["a live 2"]);
    expect(outbox.size).toBe(0);
  });

  it("tells keys apart by controller, namespace and name", () => {
    const outbox = createOutbox();
    const { namespace: _, ...clusterScoped } = trigger("a", "live");
    for (const each of [trigger("a", "live"), { ...trigger("a", "live"), controller: "x" }, clusterScoped])
      outbox.add(each);
    outbox.add({ ...trigger("a", "live"), namespace: "x" });
    expect(outbox.size).toBe(4);
  });

  it("gives live before resync, oldest first", () => {
    const outbox = createOutbox();
    for (const [name, lane] of [
      ["a", "resync"],
      ["b", "live"],
      ["c", "resync"],
      ["d", "live"],
    ] as const)
      outbox.add(trigger(name, lane));
    expect(shown(outbox.take(3))).toEqual(["b live", "d live", "a resync"]);
    expect(shown(outbox.take(3))).toEqual(["c resync"]);
  });

  it("keeps a key live that is listed again, and moves one that turns live to the end of its lane", () => {
    const outbox = createOutbox();
    for (const [name, lane] of [
      ["a", "resync"],
      ["b", "live"],
      ["a", "live"],
      ["b", "resync"],
    ] as const)
      outbox.add(trigger(name, lane));
    expect(shown(outbox.take(9))).toEqual(["b live", "a live"]);
  });

  it.each<[string, Trigger, Trigger | undefined, string]>([
    ["comes back as it was", trigger("a", "live", "old"), undefined, "a live old"],
    ["stays under what is newer", trigger("a", "live", "old"), trigger("a", "live", "new"), "a live new"],
    ["keeps its key live", trigger("a", "live", "old"), trigger("a", "resync", "new"), "a live old"],
    ["does not turn a live key back", trigger("a", "resync", "old"), trigger("a", "live", "new"), "a live new"],
  ])("a failed batch %s", (_, old, newer, expected) => {
    const outbox = createOutbox();
    outbox.add(old);
    const batch = outbox.take(9);
    if (newer) outbox.add(newer);
    outbox.putBack(batch);
    expect(shown(outbox.take(9))).toEqual([expected]);
  });

  describe("F7 the revision that was asked for last is kept", () => {
    const asking = (lane: Trigger["lane"], revision: string) => ({ ...trigger("a", lane), revision });
    const taken = (outbox: ReturnType<typeof createOutbox>) =>
      outbox.take(9).map(({ lane, revision }) => `${lane} ${revision}`);

    it.each<[string, Trigger[], string]>([
      ["when a change comes after it", [asking("resync", "r2"), trigger("a", "live")], "live r2"],
      ["when it comes after a change", [trigger("a", "live"), asking("resync", "r2")], "live r2"],
      ["when a relist comes after it", [asking("resync", "r2"), trigger("a", "resync")], "resync r2"],
      ["over an older one", [asking("resync", "r1"), asking("resync", "r2")], "resync r2"],
      ["over an older one that is live", [asking("live", "r1"), asking("resync", "r2")], "live r2"],
    ])("%s", (_, triggers, expected) => {
      const outbox = createOutbox();
      for (const each of triggers) outbox.add(each);
      expect(taken(outbox)).toEqual([expected]);
    });

    it.each<[string, Trigger, Trigger, string]>([
      ["of a failed batch", asking("resync", "r2"), trigger("a", "live"), "live r2"],
      ["of a failed batch, live as that was", asking("live", "r2"), trigger("a", "resync"), "live r2"],
      ["of what came meanwhile", asking("resync", "r1"), asking("resync", "r2"), "resync r2"],
      ["of what came meanwhile, for a change that failed", trigger("a", "live"), asking("resync", "r2"), "live r2"],
      ["of what came meanwhile, for one that failed live", asking("live", "r1"), asking("resync", "r2"), "live r2"],
    ])("%s", (_, failed, newer, expected) => {
      const outbox = createOutbox();
      outbox.add(failed);
      const batch = outbox.take(9);
      outbox.add(newer);
      outbox.putBack(batch);
      expect(taken(outbox)).toEqual([expected]);
    });
  });

  it("loses no key and holds one trigger for each, whatever is added, taken and put back", () => {
    const key = fc.constantFrom("a", "b", "c", "d", "e");
    const step = fc.oneof(
      fc.record({ add: key, lane: fc.constantFrom("live", "resync") }),
      fc.record({ take: fc.integer({ min: 1, max: 4 }), delivered: fc.boolean() }),
    );
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const outbox = createOutbox();
        const pending = new Map<string, "live" | "resync">();
        for (const each of steps) {
          if ("add" in each) {
            outbox.add(trigger(each.add, each.lane));
            if (pending.get(each.add) !== "live") pending.set(each.add, each.lane);
          } else {
            const batch = outbox.take(each.take);
            expect(batch.length).toBe(Math.min(each.take, pending.size));
            if (each.delivered) for (const { name } of batch) pending.delete(name);
            else outbox.putBack(batch);
          }
          expect(outbox.size).toBe(pending.size);
        }
        const left = outbox.take(99);
        expect(new Map(left.map(({ name, lane }) => [name, lane]))).toEqual(pending);
        expect(left.length).toBe(pending.size);
      }),
    );
  });
});
