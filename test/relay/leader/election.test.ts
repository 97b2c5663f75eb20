import { describe, expect, it } from "vitest";
import {
  type ElectionEffect,
  type ElectionInput,
  type ElectionState,
  initialElection,
  isLeading,
  stepElection,
} from "../../../infra/relay/leader/election.ts";
import type { Lease, LeaseSpec } from "../../../infra/relay/leader/lease.ts";
import { rulesOf } from "./election-world.ts";

const rules = rulesOf("me");
const WALL = Date.UTC(2026, 0, 1);

function leaseOf(spec: LeaseSpec, version = "7"): Lease {
  return { metadata: { name: "sluice-relay", namespace: "sluice", resourceVersion: version }, spec };
}
const theirs = (over: LeaseSpec = {}) => leaseOf({ holderIdentity: "other", leaseDurationSeconds: 15, ...over });
const mine = (version = "8") => leaseOf({ holderIdentity: "me", leaseDurationSeconds: 15 }, version);

/** Steps through inputs, each at its instant. */
function story(...inputs: [atMs: number, input: ElectionInput][]) {
  let state: ElectionState = initialElection;
  let effects: ElectionEffect[] = [];
  for (const [nowMs, input] of inputs)
    [state, effects] = stepElection(state, input, rules, { nowMs, wallMs: WALL + nowMs, random: 0.5 });
  return { state, effects, does: effects.map((effect) => effect.do) };
}
const written = (effects: ElectionEffect[]) => {
  const effect = effects.find(({ do: what }) => what === "write");
  return (effect as ElectionEffect & { do: "write" }).lease;
};
const LEADING: [number, ElectionInput][] = [
  [0, { is: "start" }],
  [0, { is: "absent" }],
  [100, { is: "written", lease: mine() }],
];

describe("R10 taking the Lease", () => {
  it("makes one where there is none", () => {
    const { effects } = story([0, { is: "start" }], [0, { is: "absent" }]);
    expect(written(effects)).toEqual({
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { name: "sluice-relay", namespace: "sluice" },
      spec: {
        holderIdentity: "me",
        leaseDurationSeconds: 15,
        acquireTime: "2026-01-01T00:00:00.000000Z",
        renewTime: "2026-01-01T00:00:00.000000Z",
        leaseTransitions: 0,
      },
    });
  });

  it("keeps what is not ours, and is fenced by the version that was read", () => {
    const found = leaseOf({ holderIdentity: "", leaseTransitions: 4, strategy: "OldestEmulationVersion" });
    found.metadata.labels = { team: "a" };
    const lease = written(story([0, { is: "start" }], [0, { is: "found", lease: found }]).effects);
    expect(lease.metadata).toEqual(found.metadata);
    expect(lease.spec).toMatchObject({
      ...{ holderIdentity: "me", leaseTransitions: 5, strategy: "OldestEmulationVersion" },
    });
  });

  it.each<[string, Lease, number, string]>([
    ["a free one at once", leaseOf({ holderIdentity: "" }), 0, "write"],
    ["one without a holder at once", leaseOf({}), 0, "write"],
    ["one without a spec at once", { metadata: { name: "l", namespace: "n", resourceVersion: "1" } }, 0, "write"],
    ["its own of before at once", mine(), 0, "write"],
    ["another's not before it is silent for its duration", theirs(), 14_999, "wait"],
    ["another's once it is", theirs(), 15_000, "write"],
    ["by the holder's duration, not its own", theirs({ leaseDurationSeconds: 60 }), 59_999, "wait"],
    ["by its own where the holder says none", leaseOf({ holderIdentity: "other" }), 15_000, "write"],
    ["another's, however old its times look", theirs({ renewTime: "1999-01-01T00:00:00.000000Z" }), 2_000, "wait"],
  ])("%s", (_, lease, silentMs, does) => {
    const once: [number, ElectionInput][] = [
      [0, { is: "start" }],
      [0, { is: "found", lease }],
    ];
    const again: [number, ElectionInput][] = [
      [2_000, { is: "waited" }],
      [silentMs, { is: "found", lease }],
    ];
    expect(story(...once, ...(silentMs > 0 ? again : [])).does).toEqual([does]);
  });

  it("waits anew when the holder renews, but not when somebody edits its labels", () => {
    const edited = { ...theirs(), metadata: { ...theirs().metadata, resourceVersion: "9", labels: {} } };
    const renewed = theirs({ renewTime: "2026-01-01T00:00:01.000000Z" });
    const seen = (lease: Lease) =>
      story(
        [0, { is: "start" }],
        [0, { is: "found", lease: theirs() }],
        [2_000, { is: "waited" }],
        [2_000, { is: "found", lease }],
        [15_000, { is: "waited" }],
        [15_000, { is: "found", lease }],
      ).does;
    expect(seen(edited)).toEqual(["write"]);
    expect(seen(renewed)).toEqual(["wait"]);
  });

  it("does not take one that is deleted before its holder can know", () => {
    const gone = (atMs: number) =>
      story(
        [0, { is: "start" }],
        [0, { is: "found", lease: theirs() }],
        [2_000, { is: "waited" }],
        [atMs, { is: "absent" }],
      );
    expect(gone(14_999).does).toEqual(["wait"]);
    const { effects } = gone(15_000);
    expect(written(effects).metadata).not.toHaveProperty("resourceVersion");
  });

  it("leads once that was written, and not where another was faster", () => {
    expect(story(...LEADING).does).toEqual(["lead", "wait"]);
    expect(story(...LEADING.slice(0, 2), [100, { is: "conflict" }]).does).toEqual(["wait"]);
  });

  it("does not lead by an answer that comes after the renew deadline", () => {
    const late = story(...LEADING.slice(0, 2), [10_000, { is: "written", lease: mine() }]);
    expect(late.does).toEqual(["wait"]);
    expect(isLeading(late.state, rules, 10_000)).toBe(false);
  });
});

describe("R10 keeping the Lease", () => {
  it("is renewed without reading it again", () => {
    const { effects } = story(...LEADING, [2_100, { is: "waited" }]);
    const lease = written(effects);
    expect(lease.metadata.resourceVersion).toBe("8");
    expect(lease.spec?.renewTime).toBe("2026-01-01T00:00:02.100000Z");
  });

  it("is read again after anything went wrong", () => {
    for (const wrong of [{ is: "conflict" }, { is: "failed", message: "no answer" }] as const)
      expect(story(...LEADING, [2_000, { is: "waited" }], [2_000, wrong], [4_000, { is: "waited" }]).does).toEqual([
        "get",
      ]);
  });

  it("is over when the renew deadline has passed since the last renewal began, whatever comes first then", () => {
    const { state } = story(...LEADING);
    expect(isLeading(state, rules, 9_999)).toBe(true);
    expect(isLeading(state, rules, 10_000)).toBe(false);
    expect(story(...LEADING, [10_000, { is: "tick" }]).does).toEqual(["follow"]);
    expect(story(...LEADING, [60_000, { is: "waited" }]).does).toEqual(["follow", "get"]);
  });

  it("is over at once when another has it", () => {
    const lost = story(
      ...LEADING,
      [2_000, { is: "waited" }],
      [2_000, { is: "conflict" }],
      [4_000, { is: "waited" }],
      [4_000, { is: "found", lease: theirs() }],
    );
    expect(lost.does).toEqual(["follow", "wait"]);
  });

  it("goes on as a candidate after it was lost", () => {
    const back = story(
      ...LEADING,
      [10_000, { is: "tick" }],
      [10_000, { is: "waited" }],
      [10_000, { is: "found", lease: mine() }],
      [10_100, { is: "written", lease: mine("9") }],
    );
    expect(back.does).toEqual(["lead", "wait"]);
  });
});

describe("R10 giving the Lease up", () => {
  it("empties it, for the next one to take at once", () => {
    const { effects, does } = story(...LEADING, [3_000, { is: "stop" }]);
    expect(does).toEqual(["follow", "write"]);
    expect(written(effects).spec).toMatchObject({ holderIdentity: "", leaseDurationSeconds: 1 });
    const freed = leaseOf({ holderIdentity: "" }, "9");
    expect(story(...LEADING, [3_000, { is: "stop" }], [3_000, { is: "written", lease: freed }]).does).toEqual(["done"]);
  });

  it("waits for what is under way, which may yet make it ours", () => {
    const [start, absent, led] = LEADING;
    expect(story(start!, absent!, [50, { is: "stop" }]).does).toEqual([]);
    expect(story(start!, absent!, [50, { is: "stop" }], led!).does).toEqual(["write"]);
    expect(story(start!, absent!, [50, { is: "stop" }], [60, { is: "failed", message: "gone" }]).does).toEqual([
      "done",
    ]);
  });

  it("leaves another's alone", () => {
    const following: [number, ElectionInput][] = [
      [0, { is: "start" }],
      [0, { is: "found", lease: theirs() }],
    ];
    expect(story(...following, [1, { is: "stop" }]).does).toEqual(["done"]);
    expect(story([0, { is: "start" }], [1, { is: "stop" }], [2, { is: "found", lease: theirs() }]).does).toEqual([
      "done",
    ]);
  });

  it("reads it once more where somebody else has written to it", () => {
    const refused = story(...LEADING, [3_000, { is: "stop" }], [3_000, { is: "conflict" }]);
    expect(refused.does).toEqual(["get"]);
  });
});

it("spreads the looks of those who do not lead, and not a leader's renewals", () => {
  const waits = (random: number, input: ElectionInput) => {
    const [started] = stepElection(initialElection, { is: "start" }, rules, { nowMs: 0, wallMs: 0, random });
    const [, effects] = stepElection(started, input, rules, { nowMs: 0, wallMs: 0, random });
    return effects;
  };
  const lease = theirs();
  expect(waits(0, { is: "found", lease })).toEqual([{ do: "wait", ms: 2_000 }]);
  expect(waits(1, { is: "found", lease })).toEqual([{ do: "wait", ms: 2_500 }]);
  expect(story(...LEADING).effects.at(-1)).toEqual({ do: "wait", ms: 2_000 });
});
