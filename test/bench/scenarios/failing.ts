import { mergePatch } from "../harness/client.ts";
import { documentsPath, titleOf } from "../harness/documents.ts";
import { inParallel, pause } from "../harness/pause.ts";
import { Prober } from "../harness/prober.ts";
import type { Measured, Session } from "../harness/session.ts";
import { type Spread, spread } from "../harness/statistics.ts";
import type { Addresses, LoopDelay } from "../slow-disk/documents-process.ts";
import { changeOnce } from "./latency.ts";

export type Failing = Measured & {
  /** Milliseconds from a change of another key to its ConfigMap. */
  configMap: Spread;
  /** Milliseconds until `GET /healthz` is answered, where the process under test has an ingress; and without failing keys. */
  gets?: Spread;
  getsAtRest?: Spread;
  loopDelay?: LoopDelay;
};

const KEYS = 200;
const ROUNDS = 5;
const AT_ONCE = 16;
/** Long enough for the first retries; short enough that the retries have not become rare. */
const FAILS_FOR_MS = 3_000;
const WELL_FOR_MS = 1_000;
const PROBE_EVERY_MS = 10;
const GAP_MS = 20;

/** 200 keys fail and recover, again and again: what do other keys and other requests wait meanwhile? */
export async function failing(session: Session): Promise<Failing> {
  await session.steady();
  await session.mature();
  const { names } = session;
  const bad = names.slice(0, Math.min(KEYS, Math.floor(names.length / 2)));
  const others = names.slice(bad.length);
  const { addresses } = session.controller;
  const getsAtRest = addresses && (await timed(addresses, () => pause(FAILS_FOR_MS))).gets;
  const changes: number[] = [];
  let loaded: { gets: Spread; loopDelay: LoopDelay } | undefined;
  const data = await session.measure(ROUNDS * bad.length, async () => {
    let over = false;
    const load = async () => {
      const failures = failAgainAndAgain(session, bad).finally(() => {
        over = true;
      });
      for (let i = 0; !over && session.controller.alive; i++) {
        const { configMap } = await changeOnce(session, others[i % others.length] ?? "");
        changes.push(configMap ?? Number.POSITIVE_INFINITY);
        await pause(GAP_MS);
      }
      await failures;
    };
    if (addresses) loaded = await timed(addresses, load);
    else await load();
    return await session.plane.world.converged(session.controller);
  });
  return { ...data, configMap: spread(changes), ...(getsAtRest && { getsAtRest }), ...loaded };
}

async function failAgainAndAgain({ plane: { client }, controller }: Session, names: readonly string[]): Promise<void> {
  const retitle = (titleOfOne: (name: string) => string) =>
    inParallel(names, AT_ONCE, (name) => {
      const patch = { spec: { title: titleOfOne(name) } };
      return client.text("PATCH", `${documentsPath}/${name}?fieldManager=bench`, patch, mergePatch);
    });
  for (let round = 0; round < ROUNDS && controller.alive; round++) {
    await retitle(() => "fail");
    await pause(FAILS_FOR_MS);
    await retitle(titleOf);
    await pause(WELL_FOR_MS);
  }
}

/** What GETs of the ingress wait, and how late its event loop is, while `work` goes on. */
async function timed(addresses: Addresses, work: () => Promise<unknown>) {
  const loopDelay = async () => (await (await fetch(addresses.loopDelay)).json()) as LoopDelay;
  await loopDelay();
  const prober = new Prober(`${addresses.ingress}/healthz`, PROBE_EVERY_MS);
  try {
    await work();
    return { loopDelay: await loopDelay(), gets: await prober.stop() };
  } finally {
    await prober.cancel();
  }
}
