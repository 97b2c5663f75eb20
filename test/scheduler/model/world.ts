import type { Input, Now } from "../../../adapters/scheduler/core.ts";
import type { Entry } from "../../../adapters/scheduler/entry.ts";
import type { LogicalTime } from "../../../adapters/scheduler/logical-time.ts";
import { keyOf, type ReconcileAnswer } from "../../../functions/contract/index.ts";
import { must, same } from "./check.ts";
import { awaiting, CONTROLLERS, type Command, KEYS, MALFORMED, type Offer, PROCESS_ENDED } from "./commands.ts";
import type { CoreUnderTest } from "./core-under-test.ts";
import type { Key } from "./key.ts";
import { Model } from "./model.ts";
import type { Seen } from "./situations.ts";

type State = InstanceType<CoreUnderTest["State"]>;

/** The core with its clocks, its store and its runs, and the model beside it. What the driver would do, in the open. */
export class World {
  readonly #core: CoreUnderTest;
  readonly #seen: Seen;
  readonly #random: number;
  readonly #model: Model;
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

  constructor(core: CoreUnderTest, random: number, seen: Seen) {
    this.#core = core;
    this.#random = random;
    this.#seen = seen;
    this.#model = new Model(core, KEYS, CONTROLLERS, random, seen);
    this.#state = new core.State(CONTROLLERS);
    this.#time = core.startTime(this.#wall, 0);
  }

  run(command: Command): void {
    const { type } = command;
    if (type === "wake") this.#wake();
    else if (type === "wake until it runs") {
      for (let i = 0; i < 5 && !this.#model.keys.get(keyOf(command.ref))!.run; i++) this.#wake();
    } else if (type === "pass") this.#pass(command.ms);
    else if (type === "pass the next lease's end") {
      const ends = this.#model.running().map(({ run }) => run!.endsAt - this.#monotonic);
      this.#pass(Math.min(...ends, 60_000) + command.byMs);
    } else if (type === "step the wall clock") {
      this.#wall += command.ms;
      this.#wallIsTrue = false;
    } else if (type === "offer") {
      const inputs = this.#inputs(command.offers);
      if (inputs.length > 0) this.#step(inputs);
      else this.#wake();
    } else if (type === "offer, the commit fails") this.#failToCommit(this.#inputs(command.offers));
    else this.#reload(type === "reload, leases stand", command.wallMs, command.without);
  }

  /** With success and time alone, every entry disappears: nothing that was wanted is lost, nothing is held for ever. */
  finish(): void {
    this.#reload(true, 0); // every controller is declared again (S17)
    for (let steps = 0; this.#state.entries.size > 0; steps++) {
      must("S4, S8, S11, S12: what is wanted runs in the end", steps < 200);
      const running = this.#model.running().find(({ run }) => !run!.refused);
      if (running) this.#step([{ type: "settle", key: running.name, lease: running.run!.lease, answer: awaiting }]);
      else this.#wake();
    }
    must(
      "S1, S2: every trigger was followed by a run",
      [...this.#model.keys.values()].every(({ wants }) => !wants.length),
    );
  }

  #inputs(offers: readonly Offer[]): Input[] {
    return offers.flatMap((offer): Input[] => {
      if (offer.offer === "trigger")
        return [{ type: "trigger", ref: offer.ref, reason: offer.reason, lane: offer.lane }];
      if (offer.offer === "delete parked") return [{ type: "delete parked", controller: offer.controller }];
      if (offer.offer === "late answer") {
        const ended = this.#ended.at(-1 - offer.run);
        return ended ? [endOf(ended, offer.answer)] : [];
      }
      const key = this.#runOf(offer.run);
      if (!key?.run) return [];
      const run = { key: key.name, lease: key.run.lease };
      return [offer.offer === "refuse" ? { type: "refuse", ...run, refusal: offer.refusal } : endOf(run, offer.answer)];
    });
  }

  /** The run of a key; the newest of a controller; or one by its place, the newest first. */
  #runOf(run: Extract<Offer, { offer: "answer" }>["run"]): Key | undefined {
    if (typeof run === "object") return this.#model.keys.get(keyOf(run));
    const running = this.#model.running().sort((a, b) => b.run!.startedAt - a.run!.startedAt);
    if (typeof run === "number") return running[run % running.length];
    return running.find(({ ref, run: held }) => ref.controller === run && !held!.refused);
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

  #decide(inputs: readonly Input[], now: Now) {
    const before = [...this.#state.entries];
    const paces = [...CONTROLLERS.keys()].map((name) => this.#state.pace(name));
    const decision = this.#core.step(this.#state, inputs, now, {
      random: () => this.#random,
      leaseId: () => `lease-${++this.#leases}`,
      start: true,
    });
    // S3: nothing is changed before the commit. That no entry is changed in place is seen by freezing them.
    same("S3: entries before the commit", this.#state.entries.size, before.length);
    for (const [key, entry] of before) must("S3: changed before the commit", this.#state.entries.get(key) === entry);
    const isPaced = (name: string, i: number) => this.#state.pace(name) === paces[i];
    must("S3, S8, S11: paced before the commit", [...CONTROLLERS.keys()].every(isPaced));
    return decision;
  }

  /** One step as the driver makes it. Returns whether it changed anything. */
  #step(fresh: readonly Input[]): boolean {
    const inputs = [...this.#kept, ...fresh];
    this.#kept = [];
    const now = this.#now();
    const decision = this.#decide(inputs, now);
    for (const [key, entry] of decision.changes) {
      if (entry) same(`S18: writtenAt of ${key}`, entry.writtenAt, now.at);
      freeze(entry);
    }
    const running = this.#model.running().map(({ name, run }) => ({ key: name, lease: run!.lease }));
    this.#state.apply(decision, leaseEnd(now));
    this.#wakeInMs = this.#core.wakeInMs(this.#state, now);
    this.#wallIsTrue = true;
    this.#model.committed(inputs, decision, this.#state, this.#wakeInMs, now);
    for (const run of running) if (this.#model.keys.get(run.key)!.run?.lease !== run.lease) this.#ended.push(run);
    return decision.changes.size > 0;
  }

  /** S3: the decision is dropped. Triggers are refused, answers come again. */
  #failToCommit(inputs: readonly Input[]): void {
    const now = this.#now();
    const wakeInMs = this.#core.wakeInMs(this.#state, now);
    const { changes, starts } = this.#decide([...this.#kept, ...inputs], now);
    same("S3: the wake-up after a failed commit", this.#core.wakeInMs(this.#state, now), wakeInMs);
    if (changes.size > 0) this.#seen("S3 a commit that fails changes nothing");
    if (starts.length > 0) this.#seen("S3 a commit that fails starts nothing");
    this.#kept.push(...inputs.filter(({ type }) => type !== "trigger" && type !== "delete parked"));
  }

  /** S14, S17, S18: another process, with another monotonic clock, knows what the rows say, and what it declares itself. */
  #reload(leasesStand: boolean, wallMs: number, without?: string): void {
    const rows = new Map<string, Entry>(JSON.parse(JSON.stringify([...this.#state.entries])));
    for (const entry of rows.values()) freeze(entry);
    this.#wall += wallMs;
    this.#monotonic = 7.25;
    const newest = Math.max(0, ...[...rows.values()].map(({ writtenAt }) => writtenAt));
    this.#time = this.#core.startTime(this.#wall, newest);
    this.#expectedTime = Math.max(this.#wall, newest);
    this.#lastWall = this.#wall;
    if (newest > this.#wall) this.#seen("S18 a wall clock behind the rows is made up for at load");
    const now = this.#now();
    const declared = new Map([...CONTROLLERS].filter(([name]) => name !== without));
    this.#state = new this.#core.State(declared);
    this.#state.load(rows, leaseEnd(now));
    this.#model.reloaded(now, declared);
    this.#kept = [];
    if (leasesStand) return void this.#step([]);
    // S5: as the driver does with runs that were inside its process.
    const running = this.#model.running().filter(({ run }) => !run!.refused);
    const crashed = running.map(({ name, run }): Input => {
      this.#seen("S5 a run ends with its process");
      return { type: "lost", key: name, lease: run!.lease, error: PROCESS_ENDED };
    });
    this.#step(crashed);
  }
}

/** What the driver makes of an answer: one that makes no sense is a run without one. */
function endOf(run: { key: string; lease: string }, answer: ReconcileAnswer): Input {
  const isMalformed = answer.outcome === "error" && answer.error === MALFORMED;
  return isMalformed ? { type: "lost", ...run, error: MALFORMED } : { type: "settle", ...run, answer };
}

/** S18: the rest of a lease, on the monotonic clock. */
function leaseEnd(now: Now): (entry: Entry) => number {
  return ({ lease }) => now.monotonic + Math.max(0, (lease?.until ?? now.at) - now.at);
}

function freeze(entry: Entry | null): void {
  if (!entry) return;
  const { ref, reasons, lease, refused } = entry;
  for (const part of [entry, ref, reasons, lease, lease?.before, refused, refused?.pause])
    if (part) Object.freeze(part);
}
