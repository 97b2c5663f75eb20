import { existsSync, renameSync, statSync } from "node:fs";
import { openDatabase, replaceEpoch } from "./database.ts";
import { DamagedFile } from "./fault.ts";

export type NewEpoch = {
  epoch: string;
  /** Where the file is now that was damaged and made way for a new one. */
  movedTo?: string;
};

/**
 * Gives the store a new epoch, so that every relay triggers everything once: due after an older copy of the file was put
 * back (S14). A damaged file is moved aside, and a new one is created.
 * @throws Error when the file is not the scheduler's, or in use: the scheduler must not run meanwhile.
 */
export function renewEpoch(path: string): NewEpoch {
  try {
    // One that was cut to nothing is empty, and what is absent may be a mistaken path.
    const isEmpty = existsSync(path) && statSync(path).size === 0;
    const { database } = openDatabase(path, { create: isEmpty });
    const epoch = replaceEpoch(database);
    database.close();
    return { epoch };
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error;
    const movedTo = moveAside(path);
    const { database, epoch } = openDatabase(path);
    database.close();
    return { epoch, movedTo };
  }
}

/** With its log, which belongs to it. SQLite ignores one whose file is gone, so the file goes first. */
function moveAside(path: string): string {
  let aside = `${path}.damaged`;
  for (let next = 2; existsSync(aside); next++) aside = `${path}.damaged-${next}`;
  renameSync(path, aside);
  for (const log of ["-wal", "-shm"]) if (existsSync(path + log)) renameSync(path + log, aside + log);
  return aside;
}
