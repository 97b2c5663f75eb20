import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/**
 * The texts of one column that Durable Objects of workerd hold, read from their files while it runs. Each object has a file;
 * the runtime's own, with the alarms, is left out.
 */
export function readObjects(folder: string, query: string, ...values: string[]): string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite");
  return files.flatMap((file) => {
    const database = new DatabaseSync(join(folder, file), { readOnly: true });
    try {
      return database
        .prepare(query)
        .all(...values)
        .flatMap((row) => Object.values(row).map(String));
    } finally {
      database.close();
    }
  });
}
