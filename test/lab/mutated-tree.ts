import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./lab-process.ts";
import type { Mutant } from "./mutants.ts";

/** What the lab loads. */
const PARTS = ["package.json", "functions", "adapters", "infra", "examples/lab"];

/**
 * A copy of the product and the lab in a folder for temporary files, with or without a mutation. Remove it after use.
 * @throws Error when the text to be replaced is not there exactly once: then the mutant has to follow the code.
 */
export async function copyTree(mutant?: Mutant): Promise<{ root: string; remove(): Promise<void> }> {
  const root = await mkdtemp(join(tmpdir(), "sluice-mutant-"));
  const remove = () => rm(root, { recursive: true, force: true });
  try {
    await mkdir(join(root, "examples"));
    await mkdir(join(root, "tmp"));
    for (const part of PARTS) await cp(join(ROOT, part), join(root, part), { recursive: true });
    await symlink(join(ROOT, "node_modules"), join(root, "node_modules"));
    if (mutant) {
      const file = join(root, mutant.file);
      await writeFile(file, mutated(await readFile(file, "utf8"), mutant));
    }
    return { root, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

function mutated(source: string, { file, find, replace }: Mutant): string {
  const places = source.split(find).length - 1;
  if (places !== 1) throw new Error(`${file}: the text stands there ${places} times, not once: ${find}`);
  return source.replace(find, () => replace);
}
