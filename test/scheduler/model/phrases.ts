import fc from "fast-check";
import { anyCommand, type Command, type Sequence } from "./commands.ts";
import * as keyPhrases from "./key-phrases.ts";
import * as linePhrases from "./line-phrases.ts";

const { crowd, failures, earlyRuns, recreations, requeues, duringRun, window, lastMoment } = keyPhrases;
const { storm, longStorm, stormAfterReload } = keyPhrases;
const {
  turningLive,
  lanes,
  outage,
  poison,
  parking,
  longParking,
  crashes,
  lostEarly,
  manyLines,
  timersAndBulk,
  newKeys,
} = linePhrases;

const free = anyCommand.map((command) => [command]);

const phrase: fc.Arbitrary<Command[]> = fc.oneof(
  { weight: 40, arbitrary: free },
  { weight: 3, arbitrary: crowd },
  { weight: 4, arbitrary: failures },
  { weight: 5, arbitrary: earlyRuns },
  { weight: 7, arbitrary: recreations },
  { weight: 3, arbitrary: requeues },
  { weight: 5, arbitrary: duringRun },
  { weight: 2, arbitrary: window },
  { weight: 2, arbitrary: lastMoment },
  { weight: 2, arbitrary: storm },
  { weight: 1, arbitrary: longStorm },
  { weight: 4, arbitrary: lanes },
  { weight: 6, arbitrary: outage },
  { weight: 4, arbitrary: poison },
  { weight: 6, arbitrary: parking },
  { weight: 1, arbitrary: longParking },
  { weight: 1, arbitrary: turningLive },
  { weight: 4, arbitrary: crashes },
  { weight: 2, arbitrary: lostEarly },
  { weight: 4, arbitrary: manyLines },
  { weight: 5, arbitrary: timersAndBulk },
  { weight: 4, arbitrary: newKeys },
  { weight: 1, arbitrary: stormAfterReload },
);

/** The first in two of three. */
const often = <T>(usual: T, ...others: T[]) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });

/** Free commands between phrases that lead to deep states; every command comes as it is, so that a failure shrinks. */
export const sequence: fc.Arbitrary<Sequence> = fc.record({
  random: fc.constantFrom(0, 0.3, 0.5, 0.999),
  limits: fc.record({ keys: often(1_000, 9), running: often(1_000, 10, 4, 2) }),
  mostStarts: often(undefined, 1, 2),
  loadsAll: fc.boolean(),
  commands: fc.array(phrase, { minLength: 4, maxLength: 10, size: "max" }).map((phrases) => phrases.flat()),
});
