import { inParallel } from "../harness/pause.ts";
import type { Measured, Session } from "../harness/session.ts";

/** Every Document changes, 32 at a time: from the first change until all are as the job says. */
export async function bulk(session: Session): Promise<Measured> {
  await session.steady();
  const { world } = session.plane;
  return session.measure(session.names.length, async () => {
    await inParallel(session.names, 32, (name) => world.change(name));
    return world.converged(session.controller);
  });
}
