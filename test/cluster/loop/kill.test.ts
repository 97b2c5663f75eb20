import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sharedCluster } from "../support/cluster.ts";
import { LIMIT_MS } from "./deployment.ts";
import { FiveWidgets, STEPS, survivesKills } from "./kill.case.ts";
import { NodeParts } from "./node-parts.ts";

const { api, kubeconfig } = sharedCluster();
const widgets = new FiveWidgets(api);

describe("on Node", () => survivesKills(widgets, () => NodeParts.prepare(kubeconfig)));

// A Worker has no relay inside, and is no process that could be told to stop.
describe("on Node, with the relay inside", () => {
  let parts: NodeParts;
  beforeEach(async () => {
    parts = await NodeParts.prepare(kubeconfig);
  });
  afterEach(async () => {
    await parts.remove();
    expect(parts.overlaps()).toEqual([]);
  });

  test.each(STEPS)("S3, R5 the whole process, killed at its worst moment, loses nothing, at: %s", async (step) => {
    const whole = await parts.startWhole(step);
    await widgets.create();
    await whole.reached(step, { timeoutMs: LIMIT_MS });
    await whole.kill9();
    await parts.startWhole();
    await widgets.converge();
  });

  test("SIGTERM lets the running run finish, starts none, and ends with code 0", async () => {
    const whole = await parts.startWhole("first write done");
    await widgets.create();
    await whole.reached("first write done", { timeoutMs: LIMIT_MS });
    const ended = whole.terminate();
    whole.release("first write done");
    expect(await ended).toEqual({ code: 0, signal: null });
    await parts.startWhole();
    await widgets.converge();
  });
});
