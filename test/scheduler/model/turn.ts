import { must } from "./check.ts";
import { type Key, laneOf, liveSince, type Moment, type Now, queueOf } from "./key.ts";
import type { Line } from "./line.ts";
import { dueOf, mayStart } from "./may-start.ts";
import type { Shard } from "./shard.ts";

/** Live keys that go first where both lanes wait (S11, S20). */
const FOUR = 4;

type Kind = "lost" | "live" | "resync";

/** What a line would start next: its first key, any of those that are first. */
export type Head = {
  readonly line: Line;
  readonly kind: Kind;
  readonly keys: readonly Key[];
  /** Of the lanes, what may start now. */
  readonly waits: readonly Key[];
  /** In a pause, where every key was refused (S8): it is no lane's turn. */
  readonly isLastResort: boolean;
};

/** Whose turn it is, and of which kind the other lines' heads are. */
type Turn = { readonly head: Head; readonly kinds: readonly (readonly Kind[])[] };

/** S11: a key that turns live is behind those that were live by then. */
const place = (key: Key): number =>
  laneOf(key) === "live" ? Math.max(mayStart(key).at, liveSince(key)) : mayStart(key).at;

const byPlace = (keys: readonly Key[]): Key[] => {
  const least = Math.min(...keys.filter(({ isMisplaced }) => !isMisplaced).map(place));
  return keys.filter((key) => key.isMisplaced || place(key) === least);
};

/** What may start of a line, whatever the turn: nothing where a cap or a pause holds it (S8, S12), or the gate (S6). */
function waiting(shard: Shard, line: Line, now: Now): Key[] {
  const { pause } = line;
  if (!line.isDeclared || (pause && (pause.probe !== null || now.at < pause.until))) return [];
  const due = dueOf(line, now.at);
  if (due.length === 0 || shard.holds(line) !== null) return [];
  const isGateOpen = shard.gateOpensIn(now.monotonic) === 0;
  return isGateOpen ? due : due.filter(({ lost }) => lost === 0);
}

/** The head of a line; more than one where keys of different kinds are first. */
export function headsOf(shard: Shard, line: Line, now: Now): Head[] {
  const all = waiting(shard, line, now);
  if (all.length === 0) return [];
  // S8: another key probes first, where there is one; else the one that was refused the longest ago.
  const waits = line.pause ? all.filter(({ refused }) => refused === null) : all;
  if (waits.length === 0) {
    const longestAgo = Math.min(...all.map(({ refused }) => refused!.at));
    const keys = all.filter(({ refused }) => refused!.at === longestAgo);
    return keys.map((key) => ({ line, kind: kindOf(key), keys: [key], waits: [], isLastResort: true }));
  }
  const lost = waits.filter((key) => key.lost > 0);
  const inLanes = waits.filter((key) => key.lost === 0);
  const keys = lost.length > 0 ? lost : ofQueueInTurn(line, inLanes);
  return [{ line, kind: kindOf(keys[0]!), keys: byPlace(keys), waits: inLanes, isLastResort: false }];
}

const kindOf = (key: Key): Kind => (key.lost > 0 ? "lost" : laneOf(key));

/** S11: four live to one of the resync lane, in which timers and bulk take turns. */
function ofQueueInTurn({ passed, lastOfResync }: Line, waits: readonly Key[]): Key[] {
  const of = (queue: string) => waits.filter((key) => queueOf(key) === queue);
  const [live, timer, bulk] = [of("live"), of("timer"), of("bulk")];
  const isTimersTurn = lastOfResync !== "timer";
  const resync = timer.length > 0 && (isTimersTurn || bulk.length === 0) ? timer : bulk;
  return live.length > 0 && (resync.length === 0 || passed < FOUR) ? live : resync;
}

/** S6, S8, S11, S12, S20: whether it is this key's turn. */
export function checkTurn(shard: Shard, key: Key, moment: Moment): Turn {
  const { line } = key;
  const heads = headsOf(shard, line, moment.now);
  must(`S6, S8, S12, S17: ${key.name} starts, though something holds it`, heads.length > 0);
  const head = heads.find(({ keys }) => keys.includes(key));
  must(`S6, S8, S11: ${key.name} starts, and it is ${heads[0]!.keys[0]!.name}'s turn`, head !== undefined);
  countGate(shard, head!, moment);
  countOwn(shard, key, head!, moment);
  const kinds: Kind[][] = [];
  for (const other of shard.declared()) {
    if (other === line) continue;
    const others = headsOf(shard, other, moment.now);
    if (others.length > 0) {
      kinds.push(others.map(({ kind }) => kind));
      checkOther(shard, head!, others, moment);
    } else if (other.controller === line.controller && other.pause) moment.seen("S8 a pause holds no other line");
  }
  return { head: head!, kinds };
}

/** S20: lost keys first, live before resync, and of lines with the same the one that was served the longest ago. */
function checkOther({ passed }: Shard, { line, kind }: Head, others: readonly Head[], { seen }: Moment): void {
  const [{ line: other, kind: otherKind }] = others as [Head];
  if (others.some((head) => head.kind !== otherKind)) return;
  if (kind === otherKind) {
    const isFirst = line.servedAt < other.servedAt || (line.servedAt === other.servedAt && line.order < other.order);
    must(`S20: ${line.name} starts before ${other.name}, which was served longer ago`, isFirst);
    seen(
      kind === "lost"
        ? "S6 lines take turns with their lost keys"
        : "S20 the line that was served the longest ago starts",
    );
  } else if (kind === "lost") seen("S6 a lost key starts before the lanes");
  else {
    must(`S6, S20: ${line.name} starts before a lost key of ${other.name}`, otherKind !== "lost");
    if (kind === "live") {
      must(`S20: ${line.name} starts the fifth live key past ${other.name}`, passed.least < FOUR);
      seen("S20 a live head starts before one of the resync lane in another line");
    } else {
      must(`S20: ${line.name} starts one of the resync lane before ${other.name}'s live one`, passed.most >= FOUR);
      seen("S20 after four live starts over all lines one of the resync lane starts");
    }
  }
}

function countGate({ gate }: Shard, { kind }: Head, { seen }: Moment): void {
  if (gate === null || kind !== "lost") return;
  if (gate.key.run?.lease !== gate.lease) seen("S6 the next lost key starts once the last one has ended");
  else seen("S6 the next lost key starts though the last one has run for 5 s");
}

/** The situations within its line. */
function countOwn(shard: Shard, key: Key, { kind, waits, isLastResort }: Head, { now, seen }: Moment): void {
  const { line } = key;
  if (isLastResort) {
    seen("S8 where all were refused, the one of the longest ago probes");
    return;
  }
  const isRefused = (other: Key) => other.refused !== null && !other.run && mayStart(other).at <= now.at;
  if (line.pause && line.keys.some(isRefused))
    seen(
      kind === "lost" ? "S6 a lost key that was not refused is another key that probes" : "S8 another key probes first",
    );
  if (kind === "lost") return void (waits.length > 0 && seen("S6 a lost key starts before the lanes"));
  const isBoth = waits.some((other) => laneOf(other) !== kind);
  if (isBoth && kind === "live") seen("S11 a live key starts before those of the resync lane");
  else if (isBoth) seen("S11 after four live keys one of the resync lane starts");
  if (kind === "resync" && waits.some((other) => laneOf(other) === "resync" && queueOf(other) !== queueOf(key)))
    seen(line.lastOfResync === null ? "S11 timers start before bulk at first" : "S11 timers and bulk take turns");
  if (kind === "live" && waits.some((other) => place(key) < place(other) && mayStart(key).at > mayStart(other).at))
    seen("S11 a key that turned live waits at the tail of the live lane");
  if (line.running === 0 && shard.limits.running - shard.running <= Math.floor(shard.limits.running / 2))
    seen("S12 a line that runs nothing starts out of the reserve");
}

/** What a start changes of its line, and of all of them. */
export function takeTurn(shard: Shard, key: Key, lease: string, { head, kinds }: Turn, now: Now): void {
  const { line } = key;
  const { kind, waits, isLastResort } = head;
  if (!isLastResort && kind === "live" && waits.some((other) => laneOf(other) === "resync")) line.passed += 1;
  if (!isLastResort && kind === "resync") {
    line.passed = 0;
    line.lastOfResync = queueOf(key);
  }
  const { least, most } = shard.passed;
  if (kind === "resync") shard.passed = { least: 0, most: 0 };
  else if (kind === "live")
    shard.passed = {
      least: kinds.some((of) => of.every((one) => one === "resync")) ? least + 1 : least,
      most: kinds.some((of) => of.includes("resync")) ? most + 1 : most,
    };
  line.servedAt = ++shard.turns;
  if (key.lost > 0) shard.gate = { key, lease, startedAt: now.monotonic, isAlone: key.lost > 1 };
  if (line.pause) line.pause = { ...line.pause, probe: lease };
}
