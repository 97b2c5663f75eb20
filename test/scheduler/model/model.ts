import type { Decision, Input } from "../../../adapters/scheduler/core.ts";
import type { Entry } from "../../../adapters/scheduler/entry.ts";
import { keyOf, type ObjectRef, type SchedulingOptions } from "../../../functions/contract/index.ts";
import { answer } from "./answer.ts";
import { same, sameSet } from "./check.ts";
import { Controller } from "./controller.ts";
import type { CoreUnderTest } from "./core-under-test.ts";
import { dueAt, exists, type Key, laneOf, type Moment, type Now, newKey, reasonsOf } from "./key.ts";
import { deleteParked, expire, park } from "./park.ts";
import { endPause, endProbe, refuse } from "./refuse.ts";
import type { Seen } from "./situations.ts";
import { mayStart, start } from "./start.ts";
import { trigger } from "./trigger.ts";
import { checkWake } from "./wake.ts";

type State = InstanceType<CoreUnderTest["State"]>;

/** The scheduler as the rules S1 to S19 have it: slow, with the whole history, and holding the core to it in every step. */
export class Model {
  readonly keys = new Map<string, Key>();
  readonly #controllers = new Map<string, Controller>();
  readonly #core: CoreUnderTest;
  readonly #random: number;
  readonly #seen: Seen;

  constructor(
    core: CoreUnderTest,
    refs: readonly ObjectRef[],
    controllers: ReadonlyMap<string, SchedulingOptions>,
    random: number,
    seen: Seen,
  ) {
    this.#core = core;
    this.#random = random;
    this.#seen = seen;
    for (const [name, options] of controllers) this.#controllers.set(name, new Controller(name, options));
    for (const ref of refs) {
      const controller = this.#controllers.get(ref.controller)!;
      const key = newKey(keyOf(ref), ref, controller);
      controller.keys.push(key);
      this.keys.set(key.name, key);
    }
  }

  /** Keys that hold a lease, be it that only the lease stands (S8). */
  running(): Key[] {
    return [...this.keys.values()].filter(({ run }) => run);
  }

  /** A step that was committed: the same inputs, and then everything that the core says, keeps and asks for. */
  committed(inputs: readonly Input[], decision: Decision, state: State, wakeInMs: number | null, now: Now): void {
    const moment: Moment = { now, random: this.#random, seen: this.#seen };
    const noted = [
      ...park(this.#controllers.values(), moment),
      ...this.#endLeases(moment),
      ...expire(this.keys.values(), moment),
      ...inputs.flatMap((input) => this.#take(input, moment)),
    ];
    const leaseMs = ({ controller }: Key) => controller.options.deadlineMs + this.#core.LEASE_GRACE_MS;
    const named = start(this.keys, decision.starts, leaseMs, moment);
    for (const name of named) {
      noted.push(`over budget ${name}`);
      this.#seen("S19 a key that starts too often is named");
    }
    this.#checkNotes(decision, noted);
    for (const key of this.keys.values()) this.#checkEntry(key, state.entries.get(key.name));
    same("S13: number of entries", state.entries.size, [...this.keys.values()].filter(exists).length);
    checkWake([...this.keys.values()], wakeInMs, moment);
  }

  /** S5: a lease ends by the monotonic clock; a run without an answer is a failure like others (S6), unless refused (S8). */
  #endLeases(moment: Moment): string[] {
    const ended = this.running().filter(({ run }) => run!.endsAt <= moment.now.monotonic);
    const lost = ended.filter(({ run }) => !run!.refused);
    for (const key of ended) {
      if (key.run!.refused) {
        this.#seen("S8 a lease that stands ends without a failure");
        key.run = null;
      } else {
        this.#seen("S5 a lease ends without an answer");
        this.#lose(key, moment);
      }
    }
    for (const { run } of this.running())
      if (run!.until <= moment.now.at) this.#seen("S18 the wall clock steps beyond a lease, the lease stands");
    return lost.map(({ name }) => `lease ended ${name}`);
  }

  #lose(key: Key, moment: Moment): void {
    if (key.controller.pause?.probe === key.run!.lease) this.#seen("S8 a probe ends without an answer");
    endProbe(key);
    answer(key, this.#core.noAnswer("none"), moment, false);
  }

  /** What one input has to change. Returns what has to be noted. */
  #take(input: Input, moment: Moment): string[] {
    if (input.type === "delete parked") return deleteParked(this.#controllers.get(input.controller)!, moment);
    if (input.type === "trigger") {
      trigger(this.keys.get(keyOf(input.ref))!, input.reason, input.lane, moment);
      return [];
    }
    const key = this.keys.get(input.key)!;
    if (key.run?.lease !== input.lease || key.run.refused) {
      this.#seen(key.run?.refused ? "S8 an answer after a refusal is discarded" : "S5 a late answer is discarded");
      return [`late answer ${key.name}`];
    }
    if (!key.controller.isDeclared) this.#seen("S17 a run of a controller that is not declared is settled");
    if (input.type === "refuse") return refuse(key, input.refusal, this.#core.noAnswer("none"), moment);
    if (input.type === "lost") {
      this.#lose(key, moment);
      return [];
    }
    const resumed = endPause(key, moment);
    answer(key, input.answer, moment);
    return resumed;
  }

  /**
   * S14: a reload keeps all but the count of starts within the last minute; of those the rows show the runs under way. S17:
   * what is declared may be another.
   */
  reloaded(now: Now, declared: ReadonlyMap<string, SchedulingOptions>): void {
    for (const key of this.keys.values()) {
      if (key.run) {
        this.#seen("S14 a lease survives a reload");
        key.run.endsAt = now.monotonic + Math.max(0, key.run.until - now.at);
      } else if (exists(key)) this.#seen("S14 a waiting entry survives a reload");
      if (key.backoffUntil !== null) this.#seen("S14 a backoff survives a reload");
      if (!exists(key)) key.starts = [];
      const runs = key.run !== null && !key.run.refused;
      for (const start of key.starts) start.counted = runs && start === key.starts.at(-1);
    }
    for (const controller of this.#controllers.values()) {
      controller.reload(declared.get(controller.name));
      if (controller.pause && controller.pause.until > now.at) this.#seen("S14 a pause survives a reload");
    }
  }

  #checkNotes({ notes, starts }: Decision, expected: readonly string[]): void {
    const named = notes.map((note) => {
      if ("controller" in note) return `${note.type} ${note.controller}`;
      return `${note.type} ${"ref" in note ? keyOf(note.ref) : note.key}`;
    });
    sameSet("S5, S8, S17, S19: what is noted", named, expected);
    for (const note of notes) {
      if (note.type !== "over budget") continue;
      const request = starts.find(({ key }) => keyOf(key) === keyOf(note.ref));
      sameSet("S19: the reasons that woke it", note.reasons, request!.reasons);
    }
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
    same(`S13: uid of ${key.name}`, entry.uid, key.uid);
    same(`S17: since when ${key.name} is parked`, entry.parkedAt, key.parkedAt);
    same(`S1, S2, S7, S8, S9, S10: due time of ${key.name}`, entry.due ?? Infinity, dueAt(key));
    if (key.wants.length === 0) return;
    sameSet(`S1, S8: reasons of ${key.name}`, entry.reasons, reasonsOf(key));
    same(`S1, S8: lane of ${key.name}`, entry.lane, laneOf(key));
    const { at, rule } = mayStart(key);
    if (!key.run) same(`${rule}: ${key.name} may start`, this.#core.startableAt(entry, key.controller.options), at);
  }
}
