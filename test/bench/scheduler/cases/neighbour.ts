/**
 * How long live changes of cluster b wait while cluster a is in trouble, and those of a itself where they can start at all.
 * @module
 */
import { eventually } from "../../../cluster/support/eventually.ts";
import { type Spread, spread } from "../../harness/statistics.ts";
import { awaitsChange, fails, Runs, requeues } from "../runs.ts";
import { type Sampling, sampleStarts } from "../sampling.ts";
import { open, openSettled, type SessionOptions } from "../session.ts";
import { acceptAll, CONTROLLER, manyTriggers, refOf, triggerOf } from "../triggering.ts";

export type Neighbour = { b: Spread; a?: Spread };

type At = Pick<SessionOptions, "store" | "path">;

const DEADLINE_MS = 2_000;
const POLL_MS = 300_000;
const POLL_RUN_MS = 5;
const RELIST_RUN_MS = 1;

/** Each run of `keys` keys, of one controller or of many, takes its whole deadline. */
export async function hang(
  at: At,
  { keys, controllers: count }: { keys: number; controllers: number },
  sampling: Sampling,
): Promise<Neighbour> {
  const controllers = Array.from({ length: count }, (_, i) => (i === 0 ? CONTROLLER : `${CONTROLLER}-${i}`));
  const runs = new Runs(({ cluster }) =>
    cluster === "a" ? { takesMs: DEADLINE_MS, answer: fails } : { takesMs: 0, answer: awaitsChange },
  );
  const session = await openSettled({ ...at, runs, controllers, scheduling: { deadlineMs: DEADLINE_MS } });
  const triggers = Array.from({ length: keys }, (_, i) =>
    triggerOf(refOf("a", `document-${i}`, controllers[i % controllers.length])),
  );
  await acceptAll(session.scheduler, triggers);
  await eventually("its runs hang", 10_000, () => runs.started >= count);
  const { b = [] } = await sampleStarts(session, ["b"], sampling);
  return { b: spread(b) };
}

/** A file that `fill` left 10 minutes ago with `keys` polls of 5 minutes: all are overdue at the load. */
export async function polls(at: At, sampling: Sampling): Promise<Neighbour> {
  const runs = new Runs(({ name }) =>
    name.startsWith("change")
      ? { takesMs: 0, answer: awaitsChange }
      : { takesMs: POLL_RUN_MS, answer: requeues(POLL_MS) },
  );
  const session = await open({ ...at, runs });
  return spreads(await sampleStarts(session, ["b", "a"], sampling));
}

/** A relay of cluster a delivers a relist of `keys` keys. */
export async function relist(at: At, keys: number, sampling: Sampling): Promise<Neighbour> {
  const runs = new Runs(({ name }) => ({
    takesMs: name.startsWith("change") ? 0 : RELIST_RUN_MS,
    answer: awaitsChange,
  }));
  const session = await openSettled({ ...at, runs });
  const triggers = manyTriggers(keys, "resync");
  const delivered = acceptAll(session.scheduler, triggers);
  const starts = await sampleStarts(session, ["b", "a"], sampling);
  await delivered;
  return spreads(starts);
}

function spreads({ a = [], b = [] }: Record<string, number[]>): Neighbour {
  return { a: spread(a), b: spread(b) };
}
