import type { Trigger } from "../../../functions/contract/index.ts";
import type { Clock, Logger } from "../../../functions/ports/index.ts";
import type { Checkpoint } from "../checkpoint/checkpoint.ts";
import type { CheckpointState } from "../checkpoint/state.ts";
import { messageOf } from "../message.ts";
import { type Outbox, outboxKey } from "../outbox/outbox.ts";
import type { Watches } from "../watch/watches.ts";
import { createLedger, isCovered } from "./ledger.ts";

/** How often a standby looks at what the leader has dealt with: as often as that saves it. */
export const PRUNE_EVERY_MS = 300_000;

export type StandbyOptions = {
  outbox: Outbox;
  watches: Pick<Watches, "views" | "compare" | "all">;
  checkpoint: Pick<Checkpoint, "peek">;
  clock: Clock;
  logger: Logger;
};

/**
 * What a relay that does not lead holds back (R10): one trigger a key, until the leader's checkpoint shows that it was dealt
 * with. So a new leader delivers what came since, and not all that ever changed.
 */
export interface Standby {
  /** A key waits because of an event of this version. */
  saw(trigger: Trigger, watch: string, version: string): void;
  /** From now on another one leads: what waits here, it may have or may come to deliver. */
  follow(pending: readonly Trigger[]): void;
  /**
   * Makes of what waits what nobody has delivered: without what the checkpoint shows as done, with its pending keys, and with
   * all that it says otherwise than the watches where those do not go back to its cursors.
   */
  takeOver(saved: CheckpointState | undefined): void;
  /** Nothing is held back any more. */
  stop(): void;
}

export function createStandby({ outbox, watches, checkpoint, clock, logger }: StandbyOptions): Standby {
  const ledger = createLedger();
  let cancel = (): void => {};

  function arm(): void {
    cancel();
    cancel = clock.setTimer(PRUNE_EVERY_MS, () => {
      arm();
      prune().catch((error: unknown) => logger.debug("the checkpoint was not read", { error: messageOf(error) }));
    });
  }

  async function prune(): Promise<void> {
    if (ledger.size === 0) return;
    const index = await checkpoint.peek();
    const views = [...watches.views()].sort((a, b) => (a.id < b.id ? -1 : 1));
    // The names of pending keys are not in the index; where there are some, another time will do.
    if (index?.pending !== 0 || index.watches.length !== views.length) return;
    const cursors = new Map<string, string>();
    for (const [i, { id, revision, rewound }] of views.entries()) {
      const { cursor, listed, fresh } = index.watches[i]!;
      if (index.revision !== revision) return;
      if (cursor !== undefined && listed && !fresh && !rewound) cursors.set(id, cursor);
    }
    drop(cursors, new Set());
  }

  function drop(cursors: ReadonlyMap<string, string>, except: ReadonlySet<string>): void {
    const done = ledger.covered(cursors).filter((key) => !except.has(key));
    for (const key of done) outbox.drop(key);
    ledger.forget(done);
    if (done.length > 0) logger.debug("dealt with by the leader", { keys: done.length, held: outbox.size });
  }

  return {
    saw: (trigger, watch, version) => ledger.saw(outboxKey(trigger), watch, version),
    follow(pending) {
      const cursors = watches
        .views()
        .flatMap(({ id, cursor }) => (cursor === undefined ? [] : [[id, cursor] as const]));
      ledger.hold(pending.map(outboxKey), new Map(cursors));
      arm();
    },
    takeOver(saved) {
      cancel();
      if (!saved) {
        ledger.clear();
        watches.all("looked at again: no checkpoint of the relay that led before");
        return;
      }
      const views = new Map(watches.views().map((view) => [view.id, view]));
      const cursors = new Map<string, string>();
      const goesBack = new Set<string>();
      for (const { plan, cursor, listed, fresh } of saved.watches) {
        const view = views.get(plan.id);
        if (!view || view.rewound || cursor === undefined || !listed || fresh) continue;
        cursors.set(plan.id, cursor);
        if (view.began !== undefined && isCovered(view.began, cursor)) goesBack.add(plan.id);
      }
      drop(cursors, new Set(saved.pending.map(outboxKey)));
      ledger.clear();
      const held = outbox.size;
      outbox.putBack(saved.pending);
      watches.compare(saved, goesBack);
      logger.info("taking over from the checkpoint", {
        ...{ pending: saved.pending.length, held, deliveries: outbox.size },
        compared: saved.watches.length - goesBack.size,
      });
    },
    stop() {
      cancel();
      ledger.clear();
    },
  };
}
