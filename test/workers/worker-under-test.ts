import { abortAllDurableObjects, reset, runInDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { afterEach, beforeEach, expect, vi } from "vitest";
import type { Entry } from "../../adapters/scheduler/entry.ts";
import { API_VERSION, sign } from "../../functions/contract/index.ts";
import { triggerOf } from "../support/shard.ts";
import { runs } from "./runs.ts";

export const CLUSTER = "home";

/** The scheduler's object. */
export const object = (): DurableObjectStub => env.SLUICE_SCHEDULER.getByName(`cluster/${CLUSTER}`);

/** Every task exists, until a test says otherwise. */
export function useWorker(): void {
  beforeEach(() => {
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
      const name = new URL(String(input)).pathname.split("/").at(-1)!;
      const metadata = { name, namespace: "default", uid: `uid-${name}`, resourceVersion: "1", generation: 1 };
      return Response.json({ apiVersion: "test.sluice.dev/v1", kind: "Task", metadata, spec: {} });
    });
  });
  afterEach(async () => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    runs.reset();
    await reset();
    await abortAllDurableObjects();
  });
}

/** A signed request, as the relay sends it. */
export async function send(path: string, body: object): Promise<Response> {
  const bytes = new TextEncoder().encode(JSON.stringify({ apiVersion: API_VERSION, ...body }));
  const signature = await sign([env.SLUICE_SECRET], { id: crypto.randomUUID(), now: Date.now(), body: bytes });
  const headers = { ...signature, "content-type": "application/json" };
  return exports.default.fetch(`http://worker.test${path}`, { method: "POST", headers, body: bytes });
}

export function sendTriggers(...names: string[]): Promise<Response> {
  const triggers = names.map((name) => triggerOf(name, { controller: "tasks" }));
  return send("/triggers", { cluster: CLUSTER, triggers });
}

export async function trigger(...names: string[]): Promise<{ nextWakeInMs: number | null }> {
  const response = await sendTriggers(...names);
  expect(response.status).toBe(202);
  return response.json();
}

/** Waits until this many runs have begun, and returns the newest. */
export async function begun(count: number) {
  await vi.waitFor(() => expect(runs.all.length).toBe(count), { timeout: 5_000, interval: 5 });
  return runs.all.at(-1)!;
}

type Stored = {
  entries: number;
  waves: number;
  /** The tasks that wait for their time. */
  requeued: string[];
  /** When the alarm fires. */
  alarm: number | null;
};

/** What is in the object's tables. */
export function stored(): Promise<Stored> {
  return runInDurableObject(object(), async (_, { storage }) => {
    const entries = storage.sql.exec("SELECT entry FROM entry").toArray();
    return {
      entries: entries.length,
      waves: storage.sql.exec("SELECT id FROM wave").toArray().length,
      requeued: entries
        .map(({ entry }) => JSON.parse(String(entry)) as Entry)
        .filter(({ lease }) => !lease)
        .map(({ ref }) => ref.name),
      alarm: await storage.getAlarm(),
    };
  });
}

/** Waits until the object holds this many entries. */
export async function holds(entries: number): Promise<void> {
  await vi.waitFor(async () => expect((await stored()).entries).toBe(entries), { timeout: 5_000, interval: 5 });
}

/** Moves the clock of the isolate, whose timers go on in real time. */
export function passTime(ms: number): void {
  if (!vi.isFakeTimers()) vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(Date.now() + ms);
}
