import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** A folder that no other process works in. */
export type FolderLock = { release(): void };

/**
 * Locks a folder for this process, which workerd itself does not: two of them on the same objects would both find their databases
 * locked. The system takes the lock back however this process ends, `kill -9` included.
 * @throws Error naming the folder where another process has it, or it cannot be made.
 */
export function lockFolder(folder: string): FolderLock {
  let database: DatabaseSync | undefined;
  try {
    mkdirSync(folder, { recursive: true });
    database = new DatabaseSync(join(folder, "lock.db"));
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;");
    const locked = database;
    return { release: () => locked.close() };
  } catch (error) {
    database?.close();
    const { message } = error as Error;
    const why = /locked|busy/i.test(message) ? "it is in use by another process" : message;
    throw new Error(`STATE_DIR ${folder}: ${why}`, { cause: error });
  }
}
