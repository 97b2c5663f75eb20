import { must, same } from "./check.ts";
import { LINES } from "./commands.ts";
import type { CoreUnderTest } from "./core-under-test.ts";

type State = InstanceType<CoreUnderTest["State"]>;

const NAMES = LINES.map(([ref]) => `${ref!.cluster}/${ref!.controller}`);

/** S3: holds a state to be as it is now when it is called: a step changes nothing before its commit. */
export function unchangedBy(state: State): () => void {
  const { size, weight, lost, turn } = state;
  const running = [...state.running()];
  const parked = [...state.parked];
  const paces = NAMES.map((name) => state.line(name).pace);
  return () => {
    same("S3: entries before the commit", state.size, size);
    same("S3, S21: weight before the commit", state.weight, weight);
    same("S3: runs before the commit", state.running().size, running.length);
    for (const [key, entry] of running) must("S3: changed before the commit", state.running().get(key) === entry);
    const isPaced = (name: string, i: number) => state.line(name).pace === paces[i];
    must("S3, S8, S11, S20: paced before the commit", NAMES.every(isPaced));
    must("S3, S6, S20: turns before the commit", state.lost === lost && state.turn === turn);
    must(
      "S3, S17: parked before the commit",
      parked.every(([line, at]) => state.parked.get(line) === at),
    );
  };
}
