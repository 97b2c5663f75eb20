import { must } from "./check.ts";
import type { Controller } from "./controller.ts";
import { type Key, laneOf, liveSince, type Moment } from "./key.ts";
import { mayStart } from "./start.ts";

/** Live keys that go first where both lanes wait (S11). */
const FOUR = 4;

/** S11: a key that turns live is behind those that were live by then. */
const place = (key: Key): number =>
  laneOf(key) === "live" ? Math.max(mayStart(key).at, liveSince(key)) : mayStart(key).at;

/** The keys of which one may start next, whichever comes first: none where a cap or a pause holds them all. */
export function ready(controller: Controller, now: number): Key[] {
  const { pause, keys } = controller;
  if (!controller.isDeclared || controller.isFull) return [];
  if (pause && (pause.probe !== null || now < pause.until)) return [];
  const waits = keys.filter((key) => !key.run && mayStart(key).at <= now);
  if (!pause) return waits;
  // S8: another key probes first, where there is one; else the one that was refused the longest ago.
  const others = waits.filter(({ refused }) => refused === null);
  if (others.length > 0) return others;
  const longestAgo = Math.min(...waits.map(({ refused }) => refused!.at));
  return waits.filter(({ refused }) => refused!.at === longestAgo);
}

/** S8, S11, S12: whether it is this key's turn. */
export function checkTurn(key: Key, { now, seen }: Moment): void {
  const { controller } = key;
  const { pause } = controller;
  const waits = ready(controller, now.at);
  must(`S8, S12, S17: ${key.name} starts, though something holds it`, waits.length > 0);
  must(`S8: ${key.name} probes, and it is another key's turn`, waits.includes(key));
  if (key.refused && pause) {
    seen("S8 where all were refused, the one of the longest ago probes");
    return;
  }
  if (pause && controller.keys.some((other) => other.refused && !other.run && mayStart(other).at <= now.at))
    seen("S8 another key probes first");
  const lane = laneOf(key);
  const isBoth = waits.some((other) => laneOf(other) !== lane);
  if (isBoth && lane === "live") {
    must(`S11: ${key.name} is the fifth live key in a row past the resync lane`, controller.passed < FOUR);
    seen("S11 a live key starts before those of the resync lane");
  } else if (isBoth) {
    must(`S11: ${key.name} of the resync lane starts before live keys`, controller.passed >= FOUR);
    seen("S11 after four live keys one of the resync lane starts");
  }
  for (const other of waits.filter((other) => laneOf(other) === lane)) {
    must(`S11, S12: ${key.name} overtakes ${other.name}`, place(key) <= place(other));
    if (place(key) < place(other) && mayStart(key).at > mayStart(other).at)
      seen("S11 a key that turned live waits at the tail of the live lane");
  }
}

/** What a start changes of its controller. */
export function takeTurn(key: Key, lease: string, { now }: Moment): void {
  const { controller } = key;
  const isBoth = ready(controller, now.at).some((other) => laneOf(other) !== laneOf(key));
  const isLastResort = controller.pause !== null && key.refused !== null; // it is nobody's turn that is used up
  if (!isLastResort && laneOf(key) === "resync") controller.passed = 0;
  else if (!isLastResort && isBoth) controller.passed += 1;
  if (controller.pause) controller.pause = { ...controller.pause, probe: lease };
}
