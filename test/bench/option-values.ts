import { InvalidArgumentError } from "commander";
import { type ScenarioName, scenarios } from "./loop.ts";

/** The scenarios of `loop`, in the order in which they run. */
export const knownScenarios = Object.keys(scenarios) as ScenarioName[];

export function positiveInteger(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError("It must be a positive integer.");
  return Number(text);
}

export function integers(text: string): number[] {
  return text.split(",").map(positiveInteger);
}

/** A delay of a disk: as a timer of the system keeps it, and short enough that a run ends. */
export function milliseconds(text: string): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value < 0.01 || value > 1_000)
    throw new InvalidArgumentError("It must be milliseconds, from 0.01 to 1000.");
  return value;
}

export function millisecondsList(text: string): number[] {
  return text.split(",").map(milliseconds);
}

export function scenarioList(text: string): ScenarioName[] {
  const asked = text.split(",").map((name) => name.trim());
  const unknown = asked.find((name) => !(knownScenarios as string[]).includes(name));
  if (unknown !== undefined) throw new InvalidArgumentError(`${unknown} is none of ${knownScenarios.join(", ")}.`);
  return knownScenarios.filter((name) => asked.includes(name));
}
