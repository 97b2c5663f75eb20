import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { CoreUnderTest } from "./core-under-test.ts";

/** One line of the scheduler, changed. `find` stands in its file exactly once. */
export type Mutant = {
  name: string;
  /** The rule that it breaks. */
  rule: string;
  file: (typeof FILES)[number];
  find: string;
  replace: string;
};

const SOURCE = new URL("../../../adapters/scheduler/", import.meta.url);
const FUNCTIONS = new URL("../../../functions/", import.meta.url).href;
const FILES = [
  ...(["core.ts", "start.ts", "candidates.ts", "capacity.ts", "turn.ts", "lost.ts", "pause.ts", "park.ts"] as const),
  ...(["draft.ts", "state.ts", "line.ts", "place.ts", "wake.ts", "entry.ts", "logical-time.ts"] as const),
  ...(["due-queue.ts", "recent-starts.ts", "revision.ts"] as const),
] as const;

/**
 * A copy of the scheduler's pure part, with or without a mutation. Its modules are its own; what it imports of
 * `functions/` is shared.
 * @throws when the text to be replaced is not there exactly once: then the mutant has to follow the code.
 */
export async function loadCore(mutant?: Mutant): Promise<CoreUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), "sluice-core-"));
  try {
    for (const file of FILES) {
      const source = await readFile(fileURLToPath(new URL(file, SOURCE)), "utf8");
      const text = mutant?.file === file ? mutated(source, mutant) : source;
      await writeFile(join(folder, file), text.replaceAll('"../../functions/', `"${FUNCTIONS}`));
    }
    const load = (file: string) => import(/* @vite-ignore */ pathToFileURL(join(folder, file)).href);
    const parts = await Promise.all(
      ["core.ts", "start.ts", "state.ts", "place.ts", "wake.ts", "logical-time.ts"].map(load),
    );
    return Object.assign({}, ...parts);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function mutated(source: string, { name, find, replace }: Mutant): string {
  const places = source.split(find).length - 1;
  if (places !== 1) throw new Error(`${name}: its text stands ${places} times in the file, not once: ${find}`);
  return source.replace(find, () => replace);
}
