import type { Input, Now } from "../../../adapters/scheduler/core.ts";
import type { LogicalTime } from "../../../adapters/scheduler/logical-time.ts";
import { keyOf, type ReconcileAnswer } from "../../../functions/contract/index.ts";
import { must, same } from "./check.ts";
import {
  awaiting,
  type Command,
  DECLARED,
  KEYS,
  MALFORMED,
  type Offer,
  type Picked,
  type Reload,
  type Sequence,
} from "./commands.ts";
import type { CoreUnderTest } from "./core-under-test.ts";
import type { Key } from "./key.ts";
import { Model } from "./model.ts";
import { freeze, leaseEnd, Rows } from "./rows.ts";
import type { Seen } from "./situations.ts";
import { unchangedBy } from "./unchanged.ts";

type State = InstanceType<CoreUnderTest["State"]>;

/** The core with its clocks, its store and its runs, and the model beside it. What the driver would do, in the open. */
export class World {
  readonly #core: CoreUnderTest;
  readonly #seen: Seen;
  readonly #given: Omit<Sequence, "commands">;
  readonly #model: Model;
  #rows = new Rows();
  #state: State;
  #wall = 1_800_000_000_000;
  #monotonic = 0;
  #time: LogicalTime;
  /** S18, for comparison with the core's. */
  #expectedTime = this.#wall;
  #lastWall = this.#wall;
  #wakeInMs: number | null = null;
  /** Whether the wall clock has stood true since the wake-up was asked for. */
  #wallIsTrue = true;
  #leases = 0;
  /** Answers whose commit failed. */
  #kept: Input[] = [];
  /** Every run that has ended, for late answers. */
  readonly #ended: { key: string; lease: string }[] = [];

  constructor(core: CoreUnderTest, given: Omit<Sequence, "commands">, seen: Seen) {
    this.#core = core;
    this.#given = given;
    this.#seen = seen;
    const { random, limits } = given;
    this.#model = new Model(core, KEYS, { declared: DECLARED, limits, random, seen });
    this.#state = new core.State(DECLARED, limits, (key) => this.#rows.entries.get(key));
    this.#time = core.startTime(this.#wall, 0);
  }

  run(command: Command): void {
    const { type } = command;
    if (type === "wake") this.#wake();
    else if (type === "wake until it runs") {
      for (let i = 0; i < 5 && !this.#model.keys.get(keyOf(command.ref))!.run; i++) this.#wake();
    } else if (type === "pass") this.#pass(command.ms);
    else if (type === "pass the next lease's end") this.#pass(this.#nextLeaseEnd() + command.byMs);
    else if (type === "offer past the next lease's end") {
      this.#advance(this.#nextLeaseEnd());
      this.#step(this.#inputs(command.offers));
    } else if (type === "step the wall clock") {
      this.#wall += command.ms;
      this.#wallIsTrue = false;
    } else if (type === "offer") {
      const inputs = this.#inputs(command.offers);
      if (inputs.length > 0) this.#step(inputs);
      else this.#wake();
    } else if (type === "offer, the commit fails") this.#failToCommit(this.#inputs(command.offers));
    else this.#reload(type, command.wallMs, command.without);
  }

  /** With success and time alone, every entry disappears: nothing that was wanted is lost, nothing is held for ever. */
  finish(): void {
    this.#reload("reload, leases stand", 0); // every line is declared again (S17)
    for (let steps = 0; this.#state.size > 0; steps++) {
      must("S4, S6, S8, S11, S12, S20: what is wanted runs in the end", steps < 300);
      const running = this.#model.running().find(({ run }) => !run!.refused);
      if (running) this.#step([{ type: "settle", key: running.name, lease: running.run!.lease, answer: awaiting }]);
      else this.#wake();
    }
    must(
      "S1, S2: every trigger was followed by a run",
      [...this.#model.keys.values()].every(({ wants }) => !wants.length),
    );
  }

  #nextLeaseEnd(): number {
    return Math.min(...this.#model.running().map(({ run }) => run!.endsAt - this.#monotonic), 60_000);
  }

  #inputs(offers: readonly Offer[]): Input[] {
    return offers.flatMap((offer): Input[] => {
      if (offer.offer === "trigger")
        return [{ type: "trigger", ref: offer.ref, reason: offer.reason, lane: offer.lane }];
      if (offer.offer === "delete parked")
        return [{ type: "delete parked", cluster: offer.cluster, controller: offer.controller }];
      if (offer.offer === "late answer") {
        const ended = this.#ended.at(-1 - offer.run);
        return ended ? [endOf(ended, offer.answer)] : [];
      }
      const key = this.#runOf(offer.run);
      if (!key?.run) return [];
      const run = { key: key.name, lease: key.run.lease };
      if (offer.offer === "crashed" || offer.offer === "cut") return [{ type: offer.offer, ...run }];
      return [offer.offer === "refuse" ? { type: "refuse", ...run, refusal: offer.refusal } : endOf(run, offer.answer)];
    });
  }

  #runOf(run: Picked): Key | undefined {
    if (typeof run === "object") return this.#model.keys.get(keyOf(run));
    const running = this.#model.running().sort((a, b) => b.run!.startedAt - a.run!.startedAt);
    if (typeof run === "number") return running[run % running.length];
    return running.find(({ line, run: held }) => line.name === run && !held!.refused);
  }

  /** S4: to the wake-up that was asked for. There something starts or ends, so an alarm never spins. */
  #wake(): void {
    const asExpected = this.#wallIsTrue && this.#wakeInMs !== null;
    this.#advance(this.#wakeInMs ?? 0);
    const progress = this.#step([]);
    if (!asExpected) return;
    must("S4: a wake-up makes progress", progress);
    this.#seen("S4 a wake-up makes progress");
  }

  #pass(ms: number): void {
    this.#advance(ms);
    this.#step([]);
  }

  #advance(ms: number): void {
    this.#wall += ms;
    this.#monotonic += ms;
  }

  /** S18: logical time follows the wall clock, but for its steps back. */
  #now(): Now {
    this.#time = this.#core.tick(this.#time, this.#wall);
    if (this.#wall < this.#lastWall) this.#seen("S18 the wall clock steps back, logical time does not");
    this.#expectedTime += Math.max(0, this.#wall - this.#lastWall);
    this.#lastWall = this.#wall;
    same("S18: logical time", this.#time.wall + this.#time.offset, this.#expectedTime);
    return { at: this.#expectedTime, monotonic: this.#monotonic };
  }

  #decide(inputs: readonly Input[], now: Now, start = true) {
    const check = unchangedBy(this.#state);
    const decision = this.#core.step(this.#state, inputs, now, {
      random: () => this.#given.random,
      leaseId: () => `lease-${++this.#leases}`,
      start,
      ...(this.#given.mostStarts !== undefined && { mostStarts: this.#given.mostStarts }),
    });
    check();
    return decision;
  }

  /** One step as the driver makes it. Returns whether it changed anything. */
  #step(fresh: readonly Input[], drains = false): boolean {
    const inputs = [...this.#kept, ...fresh];
    this.#kept = [];
    const now = this.#now();
    const decision = this.#decide(inputs, now, !drains);
    for (const [key, entry] of decision.entries) {
      if (entry) same(`S18: writtenAt of ${key}`, entry.writtenAt, now.at);
      freeze(entry);
    }
    const running = this.#model.running().map(({ name, run }) => ({ key: name, lease: run!.lease }));
    this.#rows.commit(decision);
    this.#state.apply(decision, leaseEnd(now));
    this.#wakeInMs = this.#core.wakeInMs(this.#state, now, !drains);
    this.#wallIsTrue = true;
    const { parked } = this.#rows;
    const after = { state: this.#state, parked, wakeInMs: this.#wakeInMs };
    this.#model.committed({ inputs, decision, ...after, now, mostStarts: this.#given.mostStarts, drains });
    for (const run of running) if (this.#model.keys.get(run.key)!.run?.lease !== run.lease) this.#ended.push(run);
    return decision.entries.size + decision.parked.size > 0;
  }

  /** S3: the decision is dropped. Triggers are refused, answers come again. */
  #failToCommit(inputs: readonly Input[]): void {
    const now = this.#now();
    const wakeInMs = this.#core.wakeInMs(this.#state, now);
    const { entries, starts } = this.#decide([...this.#kept, ...inputs], now);
    same("S3: the wake-up after a failed commit", this.#core.wakeInMs(this.#state, now), wakeInMs);
    if (entries.size > 0) this.#seen("S3 a commit that fails changes nothing");
    if (starts.length > 0) this.#seen("S3 a commit that fails starts nothing");
    this.#kept.push(...inputs.filter(({ type }) => type !== "trigger" && type !== "delete parked"));
  }

  /** S14, S17, S18: another process, with another monotonic clock, knows what the rows say, and what it declares itself. */
  #reload(type: Reload, wallMs: number, without?: string): void {
    // S6: the driver lets runs end, and cuts off those that have not.
    if (type === "reload after an orderly stop") this.#step(this.#ends("cut"), true);
    this.#rows = this.#rows.stored();
    this.#wall += wallMs;
    this.#monotonic = 7.25;
    const newest = this.#rows.newest();
    this.#time = this.#core.startTime(this.#wall, newest);
    this.#expectedTime = Math.max(this.#wall, newest);
    this.#lastWall = this.#wall;
    if (newest > this.#wall) this.#seen("S18 a wall clock behind the rows is made up for at load");
    const now = this.#now();
    const declared = {
      controllers: new Map([...DECLARED.controllers].filter(([name]) => name !== without)),
      clusters: new Set([...DECLARED.clusters].filter((name) => name !== without)),
    };
    const { entries, parked } = this.#rows;
    this.#state = new this.#core.State(declared, this.#given.limits, (key) => entries.get(key));
    this.#state.load(this.#rows.load(this.#given.loadsAll), parked, leaseEnd(now));
    this.#model.reloaded(now, declared);
    this.#kept = [];
    // S5: as the driver does with runs that were inside its process.
    this.#step(type === "reload, leases ended with the process" ? this.#ends("crashed") : []);
  }

  #ends(type: "crashed" | "cut"): Input[] {
    const running = this.#model.running().filter(({ run }) => !run!.refused);
    if (type === "crashed") for (const _ of running) this.#seen("S5 a run ends with its process");
    return running.map(({ name, run }) => ({ type, key: name, lease: run!.lease }));
  }
}

/** What the driver makes of an answer: one that makes no sense is a run without one. */
function endOf(run: { key: string; lease: string }, answer: ReconcileAnswer): Input {
  const isMalformed = answer.outcome === "error" && answer.error === MALFORMED;
  return isMalformed ? { type: "lost", ...run, error: MALFORMED } : { type: "settle", ...run, answer };
}
