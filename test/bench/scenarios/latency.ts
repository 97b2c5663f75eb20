import { pause } from "../harness/pause.ts";
import type { Measured, Session } from "../harness/session.ts";
import { type Spread, spread } from "../harness/statistics.ts";
import type { Probe } from "../harness/world.ts";

/** Milliseconds from before a change is sent until the event of what it brings about. */
export type Latency = Measured & {
  configMap: Spread;
  status: Spread;
  /** The change's own event: what of the others is the API server's and the bench's share. */
  ownEvent: Spread;
};

const gapMs = 20;
const limitMs = 30_000;
const warmUp = 20;

/** One change at a time, to one Document after the other. */
export async function latency(session: Session): Promise<Latency> {
  await session.steady();
  await session.mature();
  const { names } = session;
  const { changes } = session.options;
  for (const name of names.slice(-warmUp)) await changeOnce(session, name);
  await session.plane.audit.quiet();

  const samples: Sample[] = [];
  const stride = Math.max(1, Math.floor(names.length / changes));
  const data = await session.measure(changes, async () => {
    for (let i = 0; i < changes && session.controller.alive; i++) {
      await pause(gapMs);
      samples.push(await changeOnce(session, names[(i * stride) % names.length] ?? ""));
    }
    const seen = samples.filter(({ configMap, status }) => configMap !== undefined && status !== undefined).length;
    const at = performance.now();
    return seen === changes
      ? { ok: true, at }
      : { ok: false, at, missing: `${seen} of ${changes} changes seen through` };
  });
  const all = (part: keyof Sample) => spread(samples.map((sample) => sample[part]).filter((ms) => ms !== undefined));
  return { ...data, configMap: all("configMap"), status: all("status"), ownEvent: all("ownEvent") };
}

export type Sample = Partial<Record<"configMap" | "status" | "ownEvent", number>>;

/** Changes one Document, and waits for the events of what that brings about. */
export async function changeOnce({ plane: { world }, controller }: Session, name: string): Promise<Sample> {
  const probe: Probe = { name, onNews: () => {} };
  world.probe = probe;
  const seen = new Promise<void>((resolve) => {
    probe.onNews = () => {
      if (probe.configMap !== undefined && probe.status !== undefined) resolve();
    };
  });
  const from = performance.now();
  await world.change(name);
  await Promise.race([seen, controller.exited, pause(limitMs)]);
  world.probe = undefined;
  const since = (at: number | undefined) => (at === undefined ? {} : at - from);
  return Object.fromEntries(
    (["configMap", "status", "ownEvent"] as const)
      .filter((part) => probe[part] !== undefined)
      .map((part) => [part, since(probe[part])]),
  );
}
