/**
 * Prints how long a commit of `node:sqlite` takes in this process, in milliseconds: the median of 50, each a row in WAL mode
 * with `synchronous=FULL`.
 * @module
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { spread } from "../harness/statistics.ts";

const dir = mkdtempSync(join(tmpdir(), "sluice-commit-"));
try {
  const database = new DatabaseSync(join(dir, "commit.db"));
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE t (x INTEGER)");
  const insert = database.prepare("INSERT INTO t VALUES (?)");
  const commits = Array.from({ length: 50 }, (_, i) => {
    const begun = performance.now();
    insert.run(i);
    return performance.now() - begun;
  });
  database.close();
  console.log(spread(commits).p50);
} finally {
  rmSync(dir, { recursive: true, force: true });
}
