import type { Trigger } from "../../../functions/contract/index.ts";
import type { Clock, KubeTransport, Logger } from "../../../functions/ports/index.ts";
import type { Checkpoint } from "../checkpoint/checkpoint.ts";
import type { CheckpointState } from "../checkpoint/state.ts";
import type { Outbox } from "../outbox/outbox.ts";
import { createPause } from "../pause.ts";
import type { Happened } from "../store/store.ts";
import type { Watches } from "../watch/watches.ts";
import type { ElectionRules } from "./election.ts";
import { type Elector, type LeaderStatus, startElector } from "./elector.ts";
import { createStandby } from "./standby.ts";

export type LeadershipOptions = {
  /** Absent where this is the only relay: then it leads. */
  election?: ElectionRules | undefined;
  transport: KubeTransport;
  clock: Clock;
  logger: Logger;
  random: () => number;
  outbox: Outbox;
  watches: Pick<Watches, "views" | "compare" | "all">;
  checkpoint: Pick<Checkpoint, "load" | "peek">;
  /** All that was not accepted yet. */
  pending(): readonly Trigger[];
  /** It leads: wake the scheduler. */
  onLead(): void;
  /** Whether what the relay that led before knew is of this cluster. */
  counts(saved: CheckpointState): Promise<boolean>;
  /** What it knew, just before that is compared. */
  onTakeOver(saved: CheckpointState | undefined): void;
  /** All that nobody has delivered is in the outbox: deliver it. */
  onReady(): void;
  /** Another one leads, or nobody: deliver, wake and save nothing. */
  onFollow(): void;
};

/** How long a new leader waits for the checkpoint once the ingress answers, before it triggers everything instead. */
export const TAKE_OVER_PATIENCE_MS = 15_000;

/** Whether this relay delivers, and how it comes to (R10). */
export interface Leadership {
  /** Asks the clock each time, so that a process that was stopped knows before it sends anything. */
  leads(): boolean;
  /** Leads, and has taken over: what it knows is worth saving. */
  settled(): boolean;
  /** Watches go on or list, from what was loaded at the start. Whoever leads from later on loads again. */
  begun(): void;
  /** Each watch was listed or failed once, and the keys of a manifest were told. */
  renewed(): void;
  /** The ingress has answered. */
  answered(): void;
  /** A key is to be reconciled. False where it is not to be held: whoever leads tells it, and so does a new leader. */
  takes(happened: Happened): boolean;
  /** It was put into the outbox. */
  took(trigger: Trigger, happened: Happened): void;
  /** Gives the Lease up. */
  stop(): Promise<void>;
  status(): LeaderStatus;
}

export function createLeadership(options: LeadershipOptions): Leadership {
  const { election, checkpoint, clock } = options;
  const standby = createStandby(options);
  const patience = createPause(clock);
  const told = Promise.withResolvers<void>();
  let role: "follows" | "takes over" | "leads" = election ? "follows" : "leads";
  /** Counts changes of the role: what was begun in another is nobody's. */
  let turn = 0;
  let begun = false;
  let renewed = false;
  let answered = Promise.withResolvers<void>();

  const elector: Elector | undefined =
    election && startElector({ ...options, rules: election, onLead: lead, onFollow: follow });

  if (election) standby.follow([]);

  function lead(): void {
    turn++;
    answered = Promise.withResolvers();
    options.onLead();
    if (begun) void takeOver(turn);
    else settle();
  }

  async function takeOver(begunIn: number): Promise<void> {
    role = "takes over";
    await told.promise;
    const late = answered.promise.then(() => patience.wait(TAKE_OVER_PATIENCE_MS));
    const saved = await Promise.race([checkpoint.load(), late.then(() => undefined)]);
    const counts = saved === undefined || (await options.counts(saved));
    if (begunIn !== turn) return;
    patience.cut();
    options.onTakeOver(saved);
    standby.takeOver(counts ? saved : undefined);
    settle();
  }

  function settle(): void {
    role = "leads";
    standby.stop();
    if (renewed) options.onReady();
  }

  function follow(): void {
    turn++;
    role = "follows";
    patience.cut();
    options.onFollow();
    standby.follow(options.pending());
  }

  return {
    leads: () => elector?.leads() ?? true,
    settled: () => role === "leads",
    begun() {
      begun = true;
    },
    renewed() {
      renewed = true;
      told.resolve();
      if (role === "leads") options.onReady();
    },
    answered: () => answered.resolve(),
    takes: ({ bulk }) => role !== "follows" || !bulk,
    took(trigger, { watch, version }) {
      if (role !== "leads") standby.saw(trigger, watch, version);
    },
    async stop() {
      standby.stop();
      patience.cut();
      await elector?.stop();
    },
    status: () => elector?.status() ?? { leads: true },
  };
}
