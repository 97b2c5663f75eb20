import { expect, test } from "vitest";
import { step, wakeInMs } from "../../adapters/scheduler/core.ts";
import { State } from "../../adapters/scheduler/state.ts";
import { schedulingOptions } from "../../functions/contract/index.ts";
import { refOf } from "../support/shard.ts";

const options = { random: () => 0.5, leaseId: () => crypto.randomUUID(), start: true };

/** Two controllers, each with room for 100 runs. */
function shard() {
  const state = new State(
    new Map(["one", "two"].map((name) => [name, schedulingOptions.parse({ concurrency: 100 })] as const)),
  );
  return (at: number, mostStarts: number, ...triggered: string[]) => {
    const now = { at, monotonic: at };
    const inputs = triggered.map((name) => {
      const ref = refOf(name, name.split("-")[0]);
      return { type: "trigger", ref, reason: "object-updated", lane: "live" } as const;
    });
    const decision = step(state, inputs, now, { ...options, mostStarts });
    state.apply(decision, () => at + 60_000);
    return { started: decision.starts.map(({ key }) => key.name), wakeInMs: wakeInMs(state, now) };
  };
}

test("no more runs start than the step may start; the rest is due at once", () => {
  const steps = shard();
  expect(steps(0, 2, "one-a", "one-b", "one-c")).toEqual({ started: ["one-a", "one-b"], wakeInMs: 0 });
  expect(steps(1, 2)).toEqual({ started: ["one-c"], wakeInMs: 59_999 });
});

test("a controller that always has keys waiting does not starve another one", () => {
  const steps = shard();
  steps(0, 0, "one-a", "one-b", "one-c");
  steps(1, 0, "two-a");
  const started = [2, 3, 4, 5].flatMap((at) => steps(at, 1, `one-${at}`).started);
  expect(started).toEqual(["one-a", "one-b", "one-c", "two-a"]);
});
