import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";

/** What is read of a row of the scheduler's store. */
export type Row = {
  /** Milliseconds since 1970; null where nothing waits. */
  due: number | null;
  /** The run that goes on; null for none. */
  lease: object | null;
  reasons: string[];
};

/**
 * Reads one row of the scheduler's SQLite file, as its dead process left it. Of a copy, so that the file is not touched.
 * @param folder holds the file.
 * @param key `cluster/controller/namespace/name`
 */
export async function readRow(folder: string, key: string): Promise<Row | undefined> {
  const copy = mkdtempSync(join(folder, "copy-"));
  for (const file of ["sluice.db", "sluice.db-wal"])
    if (existsSync(join(folder, file))) copyFileSync(join(folder, file), join(copy, file));
  // Loaded here, since node:sqlite greets with a warning wherever it is loaded.
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(join(copy, "sluice.db"));
  try {
    const row = database.prepare("SELECT entry FROM entry WHERE key = ?").get(key) as { entry: string } | undefined;
    return row && (JSON.parse(row.entry) as Row);
  } finally {
    database.close();
    rmSync(copy, { recursive: true });
  }
}
