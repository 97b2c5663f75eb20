import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "../../adapters/sqlite/database.ts";
import { spawnProcess } from "../cluster/support/process-under-test.ts";
import { temporaryPaths } from "./files.ts";

const newPath = temporaryPaths();
const child = join(import.meta.dirname, "full-disk-child.ts");

test("S3 a full disk refuses a write, keeps what was written, and takes the next one once it has room", async () => {
  const path = newPath();
  const limited = `trap "" XFSZ; ulimit -S -f 400; exec "$@"`;
  const command = ["sh", "-c", limited, "sh", process.execPath, "--conditions=sluice-source", child, path];
  await using writer = spawnProcess({ script: child, command });
  const line = await writer.printed(/written \d+/, { timeoutMs: 20_000 });
  expect(writer.stdout[0]).toMatch(`${path} cannot be written: the disk`);
  await writer.exited;
  const { database } = openDatabase(path);
  const { rows } = database.prepare("SELECT count(*) AS rows FROM kv").get() as { rows: number };
  database.close();
  expect(`written ${rows}`).toBe(line);
});
