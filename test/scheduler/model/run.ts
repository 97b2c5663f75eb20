import fc from "fast-check";
import type { ObjectRef } from "../../../functions/contract/index.ts";
import type { Command, Sequence } from "./commands.ts";
import type { CoreUnderTest } from "./core-under-test.ts";
import { sequence } from "./phrases.ts";
import { SituationCounter } from "./situations.ts";
import { World } from "./world.ts";

export type ModelResult = { situations: SituationCounter; sequences: number; commands: number };

/** `seed` repeats a run; without one it is random. */
export type ModelOptions = { sequences: number; seed?: number; shrink?: boolean };

/**
 * Holds a core to the model in random sequences.
 * @throws with the rule, the shortest sequence found and the seed, when the core breaks one.
 */
export function checkAgainstModel(core: CoreUnderTest, options: ModelOptions): ModelResult {
  const result = { situations: new SituationCounter(), sequences: 0, commands: 0 };
  const property = fc.property(sequence, (given) => {
    result.sequences += 1;
    result.commands += given.commands.length;
    play(core, given, result.situations);
  });
  const { failed, counterexample, seed } = fc.check(property, {
    numRuns: options.sequences,
    ...(options.seed !== undefined && { seed: options.seed }),
    endOnFailure: options.shrink === false,
  });
  if (!failed) return result;
  const [found] = counterexample!;
  throw new Error(report(core, options.shrink === false ? found : shortest(core, found), seed));
}

function play(core: CoreUnderTest, given: Sequence, counter = new SituationCounter()): void {
  const world = new World(core, given, counter.seen);
  for (const command of given.commands) world.run(command);
  world.finish();
}

function failureOf(core: CoreUnderTest, given: Sequence): string | undefined {
  try {
    play(core, given);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** What fast-check leaves has whole phrases; of those every command goes that the failure does not need. */
function shortest(core: CoreUnderTest, given: Sequence): Sequence {
  let { commands } = given;
  for (let length = Infinity; commands.length < length; ) {
    length = commands.length;
    for (const command of commands) {
      const fewer = commands.filter((other) => other !== command);
      if (failureOf(core, { ...given, commands: fewer }) !== undefined) commands = fewer;
    }
  }
  return { ...given, commands };
}

function report(core: CoreUnderTest, given: Sequence, seed: number): string {
  const { commands, ...rest } = given;
  const lines = commands.map((command) => `  ${textOf(command)}`);
  return [`${failureOf(core, given)}`, `seed ${seed}, ${JSON.stringify(rest)}`, ...lines].join("\n");
}

/** One line a command: `offer: trigger home/narrow/a live, answer 0 {"outcome":"gone"}`. */
function textOf({ type, ...command }: Command): string {
  if ("ref" in command) return `${type} ${nameOf(command.ref)}`;
  if (!("offers" in command)) return `${type} ${Object.values(command).join(" ")}`.trim();
  const offers = command.offers.map((offer) => {
    if (offer.offer === "trigger") return `trigger ${nameOf(offer.ref)} ${offer.lane} ${offer.reason}`;
    if (offer.offer === "delete parked") return `delete parked ${offer.cluster}/${offer.controller}`;
    const run = typeof offer.run === "object" ? nameOf(offer.run) : offer.run;
    if (offer.offer === "crashed" || offer.offer === "cut") return `${offer.offer} ${run}`;
    const { apiVersion: _, ...said } = offer.offer === "refuse" ? { apiVersion: "", ...offer.refusal } : offer.answer;
    return `${offer.offer} ${run} ${JSON.stringify(said)}`;
  });
  return `${type}: ${offers.join(", ")}`;
}

const nameOf = ({ cluster, controller, name }: ObjectRef) => `${cluster}/${controller}/${name.slice(0, 9)}`;
