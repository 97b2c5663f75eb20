import type { Decision, Input } from "../../../adapters/scheduler/core.ts";
import type { Entry } from "../../../adapters/scheduler/entry.ts";
import type { Note } from "../../../adapters/scheduler/notes.ts";
import { keyOf, type ObjectRef, type ReconcileAnswer } from "../../../functions/contract/index.ts";
import { answer } from "./answer.ts";
import { same, sameSet } from "./check.ts";
import type { CoreUnderTest } from "./core-under-test.ts";
import { crash, cut } from "./crash.ts";
import { dueAt, exists, type Key, type Moment, type Now, queueOf, reasonsOf } from "./key.ts";
import { mayStart } from "./may-start.ts";
import { deleteParked, park } from "./park.ts";
import { endPause, endProbe, refuse } from "./refuse.ts";
import { type Declared, type Limits, Shard } from "./shard.ts";
import type { Seen } from "./situations.ts";
import { start } from "./start.ts";
import { trigger } from "./trigger.ts";
import { checkWake } from "./wake.ts";

/** A step that was committed, and what the core holds after it. */
export type Committed = {
  readonly inputs: readonly Input[];
  readonly decision: Decision;
  readonly state: InstanceType<CoreUnderTest["State"]>;
  readonly parked: ReadonlyMap<string, number>;
  readonly wakeInMs: number | null;
  readonly now: Now;
  readonly mostStarts: number | undefined;
  readonly drains: boolean;
};

type EndOfRun = Exclude<Input, { type: "trigger" | "delete parked" }>;

/** The scheduler as the rules S1 to S21 have it: slow, with the whole history, and holding the core to it in every step. */
export class Model {
  readonly keys: ReadonlyMap<string, Key>;
  readonly #shard: Shard;
  readonly #core: CoreUnderTest;
  readonly #noAnswer: ReconcileAnswer;
  readonly #random: number;
  readonly #seen: Seen;
  readonly #checked = new Map<Key, readonly unknown[]>();
  #declared: Declared;

  constructor(
    core: CoreUnderTest,
    refs: readonly ObjectRef[],
    { declared, limits, random, seen }: { declared: Declared; limits: Limits; random: number; seen: Seen },
  ) {
    this.#core = core;
    this.#noAnswer = core.noAnswer("none");
    this.#random = random;
    this.#seen = seen;
    this.#shard = new Shard(refs, limits);
    this.#declared = declared;
    this.#shard.declare(declared);
    this.keys = this.#shard.keys;
  }

  /** Keys that hold a lease, be it that only the lease stands (S8). */
  running(): Key[] {
    return this.#shard.all.filter(({ run }) => run);
  }

  /** The same inputs, and then everything that the core says, keeps and asks for. */
  committed({ inputs, decision, state, parked, wakeInMs, now, mostStarts, drains }: Committed): void {
    const moment: Moment = { now, random: this.#random, seen: this.#seen };
    const full = new Set<number>();
    const noted = inputs.flatMap((input, index) => {
      if (input.type === "delete parked") return this.#deleteParked(`${input.cluster}/${input.controller}`, moment);
      if (input.type !== "trigger") return this.#end(input, moment);
      const key = this.keys.get(keyOf(input.ref))!;
      if (trigger(this.#shard, key, input.reason, input.lane, moment)) return [];
      full.add(index);
      this.#seen(key.name.length > 200 ? "S21 a long key has no room" : "S21 a new key has no room");
      return [`full ${key.line.name} 1`];
    });
    this.#countFull(inputs, full);
    noted.push(...this.#endLeases(moment)); // S5: after the answers that have arrived
    noted.push(...park(this.#shard, this.#declared.clusters, moment));
    const leaseMs = ({ line }: Key) => line.options.deadlineMs + this.#core.LEASE_GRACE_MS;
    for (const name of start(this.#shard, decision.starts, { mostStarts, drains, leaseMs }, moment)) {
      noted.push(`over budget ${name}`);
      this.#seen("S19 a key that starts too often is named");
    }
    if (full.size + decision.full.size > 0)
      sameSet("S21: triggers without room", [...decision.full].map(String), [...full].map(String));
    this.#checkNotes(decision, noted);
    let entries = 0;
    for (const key of this.#shard.all) {
      if (this.#hasMoved(key, decision)) this.#checkEntry(key, state.entry(key.name));
      if (exists(key)) entries++;
      if (decision.entries.has(key.name)) key.isMisplaced = !key.line.isDeclared;
    }
    same("S13: number of entries", state.size, entries);
    for (const { name, parkedAt } of this.#shard.lines.values())
      same(`S17: since when ${name} is parked`, parked.get(name) ?? null, parkedAt);
    checkWake(this.#shard, wakeInMs, drains, moment);
  }

  /** S21: room that came and went within the step. */
  #countFull(inputs: readonly Input[], full: ReadonlySet<number>): void {
    const [first] = full;
    if (first === undefined) return;
    const isNew = ({ type }: Input, index: number) => type === "trigger" && index > first && !full.has(index);
    const settles = inputs.findIndex(({ type }, index) => type === "settle" && index > first);
    if (settles > 0 && inputs.some((input, index) => isNew(input, index) && index > settles))
      this.#seen("S21 a key that leaves makes room within the step");
  }

  #deleteParked(name: string, moment: Moment): string[] {
    const line = this.#shard.lines.get(name);
    return line ? deleteParked(line, moment) : [];
  }

  /**
   * S5: a lease ends by the monotonic clock; a run without an answer is a failure like others (S6), unless it was refused
   * (S8), or a process started it that is gone.
   */
  #endLeases(moment: Moment): string[] {
    const notes: string[] = [];
    for (const key of this.running().filter(({ run }) => run!.endsAt <= moment.now.monotonic)) {
      if (key.run!.refused) {
        this.#seen("S8 a lease that stands ends without a failure");
        key.run = null;
      } else if (key.run!.foundAtLoad) {
        this.#seen("S5 a lease found at load ends as one whose process has ended");
        notes.push(...crash(key, this.#noAnswer, moment));
      } else {
        this.#seen("S5 a lease ends without an answer");
        this.#lose(key, moment);
        notes.push(`lease ended ${key.name}`);
      }
    }
    for (const { run } of this.running())
      if (run!.until <= moment.now.at) this.#seen("S18 the wall clock steps beyond a lease, the lease stands");
    return notes;
  }

  #lose(key: Key, moment: Moment): void {
    if (key.line.pause?.probe === key.run!.lease) this.#seen("S8 a probe ends without an answer");
    if (key.lost > 0) this.#seen("S6 a run without an answer, of a process that lives, ends that a key is lost");
    endProbe(key);
    answer(key, this.#noAnswer, moment, false);
  }

  /** What the end of a run has to change. Returns what has to be noted. */
  #end(input: EndOfRun, moment: Moment): string[] {
    const key = this.keys.get(input.key)!;
    if (key.run?.lease !== input.lease || key.run.refused) {
      this.#seen(key.run?.refused ? "S8 an answer after a refusal is discarded" : "S5 a late answer is discarded");
      return [`late answer ${key.name}`];
    }
    if (!key.line.isDeclared) this.#seen("S17 a run of a line that is not declared is settled");
    if (key.run.endsAt <= moment.now.monotonic) this.#seen("S5 an answer is taken before its lease is ended");
    if (input.type === "refuse") return refuse(key, input.refusal, this.#noAnswer, moment);
    if (input.type === "crashed") return crash(key, this.#noAnswer, moment);
    if (input.type === "lost") this.#lose(key, moment);
    if (input.type === "cut") cut(key, moment);
    if (input.type !== "settle") return [];
    const resumed = endPause(key, moment);
    answer(key, input.answer, moment);
    return resumed;
  }

  /**
   * S14: a reload keeps all but whose turn it is and the count of starts within the last minute; of those the rows show the
   * runs under way. S17: what is declared may be another.
   */
  reloaded(now: Now, declared: Declared): void {
    this.#declared = declared;
    this.#checked.clear();
    for (const key of this.#shard.all) {
      if (key.run) {
        this.#seen("S14 a lease survives a reload");
        key.run.endsAt = now.monotonic + Math.max(0, key.run.until - now.at);
        key.run.foundAtLoad = true;
      } else if (exists(key)) this.#seen("S14 a waiting entry survives a reload");
      if (key.lost > 0) this.#seen("S14 that a key was lost survives a reload");
      if (key.backoffUntil !== null) this.#seen("S14 a backoff survives a reload");
      if (!exists(key)) key.starts = [];
      const runs = key.run !== null && !key.run.refused;
      for (const start of key.starts) start.counted = runs && start === key.starts.at(-1);
    }
    this.#shard.declare(declared);
    for (const { pause } of this.#shard.lines.values())
      if (pause && pause.until > now.at) this.#seen("S14 a pause survives a reload");
  }

  #checkNotes({ notes, starts }: Decision, expected: readonly string[]): void {
    if (notes.length + expected.length === 0) return;
    const named = notes.map(textOf);
    sameSet("S5, S6, S8, S17, S19, S21: what is noted", summedUp(named), summedUp(expected));
    const full = notes
      .filter(({ type }) => type === "full")
      .map((note) => "cluster" in note && note.cluster + note.controller);
    same("S21: a line is named once a step", new Set(full).size, full.length);
    for (const note of notes) {
      if (note.type !== "over budget") continue;
      const request = starts.find(({ key }) => keyOf(key) === keyOf(note.ref));
      sameSet("S19: the reasons that woke it", note.reasons, request!.reasons);
    }
  }

  /** Whether the model or the core has changed a key; else its entry is what it was when it was checked last. */
  #hasMoved(key: Key, { entries }: Decision): boolean {
    const { wants, run, uid, failures, backoffUntil, earlyFailures, refused, lost, starts } = key;
    const is = [wants, wants.length, run, uid, failures, backoffUntil, earlyFailures, refused, lost, starts.length];
    const was = this.#checked.get(key);
    if (!entries.has(key.name) && was && is.every((value, i) => value === was[i])) return false;
    this.#checked.set(key, is);
    return true;
  }

  /** The entry says what the wishes and the run say; when it may start says all that S1, S6, S7, S9, S10 and S19 do. */
  #checkEntry(key: Key, entry: Entry | undefined): void {
    if (!entry && !exists(key)) return;
    same(`S2, S13: ${key.name} has an entry`, entry !== undefined, exists(key));
    if (!entry) return;
    same(`S2, S5, S8: lease of ${key.name}`, entry.lease?.id, key.run?.lease);
    same(`S8: whether only the lease of ${key.name} stands`, entry.lease?.refused, key.run?.refused);
    same(`S6, S8, S15: attempt of ${key.name}`, entry.attempt, key.failures);
    same(`S6, S7, S8: backoffUntil of ${key.name}`, entry.backoffUntil, key.backoffUntil);
    same(`S6: how often in a row ${key.name} was lost`, entry.lost, key.lost);
    same(`S13: uid of ${key.name}`, entry.uid, key.uid);
    same(`S1, S2, S7, S8, S9, S10: due time of ${key.name}`, entry.due ?? Infinity, dueAt(key));
    if (key.wants.length === 0) return;
    sameSet(`S1, S8: reasons of ${key.name}`, entry.reasons, reasonsOf(key));
    same(`S1, S6, S8, S11: queue of ${key.name}`, entry.queue, queueOf(key));
    const { at, rule } = mayStart(key);
    if (!key.run) same(`${rule}: ${key.name} may start`, this.#core.startableAt(entry, key.line.options), at);
  }
}

function textOf(note: Note): string {
  if ("ref" in note) return `${note.type} ${keyOf(note.ref)}${note.type === "crashed" ? ` ${note.counted}` : ""}`;
  if ("key" in note) return `${note.type} ${note.key}`;
  const about = `${note.type} ${note.cluster}/${note.controller}`;
  if (note.type === "paused") return `${about} ${note.forMs} ${note.status}`;
  if (note.type === "resumed") return about;
  return `${about} ${note.type === "full" ? note.triggers : note.entries}`;
}

/** Notes that count are added up: `deleted home/narrow 2`. */
function summedUp(notes: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const note of notes) {
    const counted = /^((?:parked|deleted|full) \S+) (\d+)$/.exec(note);
    const [name, count] = counted ? [counted[1]!, Number(counted[2])] : [note, 0];
    counts.set(name, (counts.get(name) ?? 0) + count);
  }
  return [...counts].map(([name, count]) => `${name} ${count}`);
}
