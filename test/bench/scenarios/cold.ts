import type { Measured, Session } from "../harness/session.ts";
import { quantile, round } from "../harness/statistics.ts";

export type Cold = Measured & {
  readySeconds: number | null;
  /** Seconds until half of the objects were as expected. */
  p50Seconds: number;
  rssMiB: number;
};

/** The Documents are there before the controller: from its start until all of them are as the job says. */
export async function cold(session: Session): Promise<Cold> {
  await session.fill();
  const { world } = session.plane;
  const data = await session.measure(session.names.length, () => world.converged(session.startController()));
  const { controller } = session;
  const times = [...world.documents.values()]
    .map(({ convergedAt }) => (convergedAt === undefined ? Number.NaN : (convergedAt - controller.startedAt) / 1000))
    .sort((a, b) => a - b);
  const departures = [...new Set([...world.documents.values()].flatMap((expected) => expected.departures()))];
  return {
    ...data,
    ok: data.ok && departures.length === 0,
    ...(data.ok && departures.length > 0 ? { missing: departures.join(", ") } : {}),
    readySeconds: controller.readySeconds === undefined ? null : round(controller.readySeconds, 3),
    p50Seconds: round(quantile(times, 0.5), 3),
    rssMiB: controller.rssMiB(),
  };
}
