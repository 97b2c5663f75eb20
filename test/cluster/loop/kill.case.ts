import { crdOf } from "sluice";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Step } from "../../../functions/ports/index.ts";
import { applyCrd, newNamespace } from "../support/cluster.ts";
import type { KubeApi } from "../support/kube-api.ts";
import { widgetsOf } from "./deployment.ts";
import { Widget } from "./widgets.ts";

export type Part = "functions" | "relay";

/** Functions and their relay apart, as processes to be killed; their state outlives them. */
export interface Parts {
  /** Starts one and waits until it serves, or has it held where it first comes to a step. */
  start(part: Part, hold?: Step): Promise<void>;
  /** Waits until the one that was to be held stands there. */
  reached(step: Step): Promise<void>;
  /** Lets it go on. */
  release(step: Step): void;
  kill(part: Part): Promise<void>;
  /** Kills what runs, and removes what it left. */
  remove(): Promise<void>;
  /** Keys that ran twice at once. */
  overlaps(): readonly string[];
}

export const STEPS: readonly Step[] = [
  "outbox filled, not delivered",
  "committed, not yet answered",
  "first write done",
  "run done, answer not stored",
];
const holderOf = (step: Step): Part => (step === "outbox filled, not delivered" ? "relay" : "functions");

const NAMES = ["a", "b", "c", "d", "e"];

/** Five Widgets, in a namespace of each test. */
export class FiveWidgets {
  readonly #api: KubeApi;
  #namespace = "";

  constructor(api: KubeApi) {
    this.#api = api;
    beforeAll(() => applyCrd(api, crdOf(Widget)));
    beforeEach(async () => {
      this.#namespace = await newNamespace(api);
    });
    afterEach(() => api.delete(`/api/v1/namespaces/${this.#namespace}`).then(() => {}));
    afterAll(() => api.close());
  }

  async create(): Promise<void> {
    for (const name of NAMES) await this.#kubectl().create(name, { text: "one" });
  }

  /** Every object converges, and goes on doing so. */
  async converge(): Promise<void> {
    const kubectl = this.#kubectl();
    for (const name of NAMES) await kubectl.ready(name, "one");
    for (const name of NAMES) await kubectl.patch(name, { text: "two" });
    for (const name of NAMES) await kubectl.ready(name, "two");
    await kubectl.delete("a");
    await kubectl.gone("a");
  }

  #kubectl() {
    return widgetsOf(this.#api, this.#namespace);
  }
}

/** Whatever is killed, and wherever it stands, nothing is lost and no key runs twice at once. */
export function survivesKills(widgets: FiveWidgets, prepare: () => Promise<Parts>): void {
  let parts: Parts;

  beforeEach(async () => {
    parts = await prepare();
  });
  afterEach(async () => {
    await parts.remove();
    expect(parts.overlaps()).toEqual([]);
  });

  describe("S2, S3, S5, R5 of a relay and functions apart, either may be killed", () => {
    const rows = STEPS.flatMap((step) => (["functions", "relay"] as const).map((victim) => ({ step, victim })));
    test.each(rows)("the $victim at: $step", async ({ step, victim }) => {
      const holder = holderOf(step);
      for (const part of ["functions", "relay"] as const) await parts.start(part, ...(part === holder ? [step] : []));
      await widgets.create();
      await parts.reached(step);
      await parts.kill(victim);
      if (victim !== holder) parts.release(step);
      await parts.start(victim);
      await widgets.converge();
    });
  });

  test("S2, S3 both killed again and again while they work, everything converges in the end", async () => {
    await widgets.create();
    for (const step of STEPS) {
      const holder = holderOf(step);
      for (const part of ["functions", "relay"] as const) await parts.start(part, ...(part === holder ? [step] : []));
      await parts.reached(step);
      await Promise.all([parts.kill("functions"), parts.kill("relay")]);
    }
    await parts.start("functions");
    await parts.start("relay");
    await widgets.converge();
  });
}
