import type { StopResult } from "../harness/controller.ts";
import { pause } from "../harness/pause.ts";
import type { Measured, Session } from "../harness/session.ts";

export type Restart = Measured & {
  /** Runs of the user's code in the 10 s after the start, as the controller reported them. */
  invocations: number | null;
  stop: StopResult;
};

const watchedMs = 10_000;

/** Nothing has changed: what do the 10 s after a restart cost? */
export async function restart(session: Session): Promise<Restart> {
  await session.steady();
  const stop = await session.stopController();
  const data = await session.measure(session.names.length, async () => {
    const controller = session.startController();
    const ready = await Promise.race([controller.ready, pause(60_000).then(() => false)]);
    const at = performance.now();
    await pause(watchedMs - (at - controller.startedAt));
    if (!ready) return { ok: false, at, missing: "never ready" };
    return controller.alive ? { ok: true, at } : { ok: false, at, missing: `it ended (${controller.exitCode})` };
  });
  const { reconciles, killed } = await session.stopController();
  const { restartInvocations: most = Number.POSITIVE_INFINITY } = session.options;
  const departs =
    killed || stop.killed
      ? "SIGTERM did not end it within 20 s"
      : (reconciles ?? 0) > most && `${reconciles} invocations, at most ${most}`;
  return {
    ...data,
    ok: data.ok && !departs,
    ...(data.ok && departs ? { missing: departs } : {}),
    invocations: reconciles,
    stop,
  };
}
