import { existsSync } from "node:fs";

/** @throws Error where there is no such file, it is none of ours, or somebody has it open. */
export async function newEpoch(file: string): Promise<void> {
  // To open a file that is not there would make an empty store of it.
  if (!existsSync(file)) throw new Error(`${file} does not exist`);
  // Loaded here, since node:sqlite greets with a warning wherever it is loaded.
  const { renewEpoch } = await import("../../adapters/sqlite/new-epoch.ts");
  const { epoch, movedTo } = renewEpoch(file);
  if (movedTo !== undefined)
    console.error(`${file} was damaged: it is moved to ${movedTo}, and a new file is in its place`);
  console.log(epoch);
}
