import type { Decision, Input } from "../../../adapters/scheduler/core.ts";
import type { Entry } from "../../../adapters/scheduler/entry.ts";
import {
  keyOf,
  type ObjectRef,
  type ReconcileAnswer,
  type SchedulingOptions,
} from "../../../functions/contract/index.ts";
import { answer } from "./answer.ts";
import { same, sameSet } from "./check.ts";
import { MALFORMED, PROCESS_ENDED } from "./commands.ts";
import type { CoreUnderTest } from "./core-under-test.ts";
import { dueAt, exists, type Key, laneOf, type Moment, type Now, newKey, reasonsOf } from "./key.ts";
import type { Seen } from "./situations.ts";
import { mayStart, start } from "./start.ts";
import { trigger } from "./trigger.ts";
import { checkWake } from "./wake.ts";

type State = InstanceType<CoreUnderTest["State"]>;

/** The scheduler as the rules S1 to S19 have it: slow, with the whole history, and holding the core to it in every step. */
export class Model {
  readonly keys = new Map<string, Key>();
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
    for (const ref of refs) this.keys.set(keyOf(ref), newKey(keyOf(ref), ref, controllers.get(ref.controller)!));
  }

  running(): Key[] {
    return [...this.keys.values()].filter(({ run }) => run);
  }

  /** A step that was committed: the same inputs, and then everything that the core says, keeps and asks for. */
  committed(inputs: readonly Input[], decision: Decision, state: State, wakeInMs: number | null, now: Now): void {
    const moment: Moment = { now, random: this.#random, seen: this.#seen };
    const noted = [...this.#endLeases(moment), ...this.#take(inputs, moment)];
    const leaseMs = ({ options }: Key) => options.deadlineMs + this.#core.LEASE_GRACE_MS;
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

  /** S5: a lease ends by the monotonic clock; a run without an answer is a failure like others (S6). */
  #endLeases(moment: Moment): string[] {
    const ended = this.running().filter(({ run }) => run!.endsAt <= moment.now.monotonic);
    for (const key of ended) {
      this.#seen("S5 a lease ends without an answer");
      answer(key, this.#core.noAnswer("none"), moment, false);
    }
    for (const { run } of this.running())
      if (run!.until <= moment.now.at) this.#seen("S18 the wall clock steps beyond a lease, the lease stands");
    return ended.map(({ name }) => `lease ended ${name}`);
  }

  #take(inputs: readonly Input[], moment: Moment): string[] {
    const late: string[] = [];
    for (const input of inputs) {
      const key = this.keys.get(input.type === "trigger" ? keyOf(input.ref) : input.key)!;
      if (input.type === "trigger") trigger(key, input.reason, input.lane, moment);
      else if (key.run?.lease === input.lease) {
        answer(key, input.answer, moment, !isMadeUp(input.answer));
      } else {
        this.#seen("S5 a late answer is discarded");
        late.push(`late answer ${key.name}`);
      }
    }
    return late;
  }

  /** S14: a reload keeps all but the count of starts within the last minute; of those the rows show the runs under way. */
  reloaded(now: Now): void {
    for (const key of this.keys.values()) {
      if (key.run) {
        this.#seen("S14 a lease survives a reload");
        key.run.endsAt = now.monotonic + Math.max(0, key.run.until - now.at);
      } else if (exists(key)) this.#seen("S14 a waiting entry survives a reload");
      if (key.backoffUntil !== null) this.#seen("S14 a backoff survives a reload");
      if (!exists(key)) key.starts = [];
      for (const start of key.starts) start.counted = key.run !== null && start === key.starts.at(-1);
    }
  }

  #checkNotes({ notes, starts }: Decision, expected: readonly string[]): void {
    const named = notes.map((note) => `${note.type} ${"ref" in note ? keyOf(note.ref) : note.key}`);
    sameSet("S5, S19: what is noted", named, expected);
    for (const note of notes) {
      if (note.type !== "over budget") continue;
      const request = starts.find(({ key }) => keyOf(key) === keyOf(note.ref));
      sameSet("S19: the reasons that woke it", note.reasons, request!.reasons);
    }
  }

  /** The entry says what the wishes and the run say; when it may start says all that S1, S6, S7, S9, S10 and S19 do. */
  #checkEntry(key: Key, entry: Entry | undefined): void {
    same(`S2, S13: ${key.name} has an entry`, entry !== undefined, exists(key));
    if (!entry) return;
    same(`S2, S5: lease of ${key.name}`, entry.lease?.id, key.run?.lease);
    same(`S6, S15: attempt of ${key.name}`, entry.attempt, key.failures);
    same(`S6, S7: backoffUntil of ${key.name}`, entry.backoffUntil, key.backoffUntil);
    same(`S13: uid of ${key.name}`, entry.uid, key.uid);
    same(`S1, S2, S7, S9, S10: due time of ${key.name}`, entry.due ?? Infinity, dueAt(key));
    if (key.wants.length === 0) return;
    sameSet(`S1: reasons of ${key.name}`, entry.reasons, reasonsOf(key));
    if (laneOf(key) !== "either") same(`S1: lane of ${key.name}`, entry.lane, laneOf(key));
    const { at, rule } = mayStart(key);
    if (!key.run) same(`${rule}: ${key.name} may start`, this.#core.startableAt(entry, key.options), at);
  }
}

const isMadeUp = (answer: ReconcileAnswer) =>
  answer.outcome === "error" && [MALFORMED, PROCESS_ENDED].includes(answer.error);
