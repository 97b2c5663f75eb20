import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openDatabase } from "../../adapters/sqlite/database.ts";
import { renewEpoch } from "../../adapters/sqlite/new-epoch.ts";
import { openSqliteFile, type SqliteFile } from "../../adapters/sqlite/sqlite-file.ts";
import { spawnProcess } from "../cluster/support/process-under-test.ts";
import { recordingLogger } from "../support/recording-logger.ts";
import { temporaryPaths, withDatabase } from "./files.ts";

const newPath = temporaryPaths();
const logger = recordingLogger();
const open: SqliteFile[] = [];
afterEach(() => Promise.all(open.splice(0).map((file) => file.close())));

async function opened(path: string, log = logger): Promise<SqliteFile> {
  const file = await openSqliteFile(path, { logger: log });
  open.push(file);
  return file;
}

test("S14 a file keeps its epoch, and gets another one by command", async () => {
  const path = newPath();
  const first = await opened(path);
  await first.close();
  const second = await opened(path);
  await second.close();
  expect(second.epoch).toBe(first.epoch);
  const { epoch, movedTo } = renewEpoch(path);
  expect(movedTo).toBeUndefined();
  expect(epoch).not.toBe(first.epoch);
  expect((await opened(path)).epoch).toBe(epoch);
});

test("S3 a commit waits until the disk has it", () => {
  const { database } = openDatabase(newPath());
  const pragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get()!)[0];
  expect([pragma("journal_mode"), pragma("synchronous"), pragma("locking_mode")]).toEqual(["wal", 2, "exclusive"]);
  database.close();
});

test("a file that is open already is refused by name, also by another process", async () => {
  const path = newPath();
  await opened(path);
  const inUse = `${path} cannot be the scheduler's file: it is in use by another process`;
  await expect(opened(path)).rejects.toThrow(inUse);
  await using other = spawnProcess({ script: openingChild, args: [path] });
  await other.printed(`Error: ${inUse}`, { timeoutMs: 20_000 });
  await expect((async () => renewEpoch(path))()).rejects.toThrow(inUse);
});

test("a file of a later schema version is refused, and left as it is", async () => {
  const path = newPath();
  openDatabase(path).database.close();
  withDatabase(path, (database) => database.exec("PRAGMA user_version = 99"));
  const before = readFileSync(path);
  await expect(opened(path)).rejects.toThrow("schema version 99; this release knows 2 and older");
  expect(readFileSync(path)).toEqual(before);
});

test("S14 a file of version 1 loses its entries, keeps its values, and gets a new epoch, which is logged", async () => {
  const path = newPath();
  withDatabase(path, (database) =>
    database.exec(`
      CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE entry (key TEXT PRIMARY KEY, entry TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE kv (key TEXT PRIMARY KEY, value TEXT NOT NULL, expires_at INTEGER NOT NULL) WITHOUT ROWID;
      INSERT INTO meta VALUES ('epoch', 'of before');
      INSERT INTO entry VALUES ('home/documents//a', '{}'), ('home/documents//b', '{}');
      INSERT INTO kv VALUES ('kept', 'value', 10);
      PRAGMA user_version = 1`),
  );
  const log = recordingLogger();
  const file = await opened(path, log);
  expect(file.epoch).not.toBe("of before");
  expect(await file.value("kept", 0)).toBe("value");
  const keys: string[] = [];
  for await (const page of file.entries()) keys.push(...page.keys);
  expect(keys).toEqual([]);
  expect(log.lines).toMatchObject([{ level: "warn", fields: { file: path, entries: 2 } }]);
});

test.each<[string, (path: string) => void]>([
  ["a text", (path) => writeFileSync(path, "no database, but longer than a header ".repeat(20))],
  ["somebody else's database", (path) => withDatabase(path, (database) => database.exec("CREATE TABLE users (name)"))],
  [
    "one with a version of somebody else's",
    (path) => withDatabase(path, (database) => database.exec("PRAGMA user_version = 1; CREATE TABLE a (b)")),
  ],
])("%s is refused by name and left as it is, when a scheduler or a new epoch asks for it", async (_, make) => {
  const path = newPath();
  make(path);
  const before = readFileSync(path);
  await expect(opened(path)).rejects.toThrow(`${path} cannot be the scheduler's file`);
  expect(() => renewEpoch(path)).toThrow(`${path} cannot be the scheduler's file`);
  expect(readFileSync(path)).toEqual(before);
});

test("a folder that is not there is named with what to do", async () => {
  const path = join(newPath(), "sluice.db");
  await expect(opened(path)).rejects.toThrow(
    `${path} cannot be the scheduler's file: it cannot be opened: its folder must`,
  );
});

test("a thread that a bundler left out is named with what to do", async () => {
  const path = newPath();
  const file = openSqliteFile(path, { logger, thread: new URL("./absent.js", import.meta.url) });
  await expect(file).rejects.toThrow(
    /the file of its thread is missing \(.*absent\.js.*keep the package sluice out of the bundle/,
  );
});

const openingChild = join(import.meta.dirname, "opening-child.ts");

test.each<[string, (path: string) => void, string]>([
  [
    "a file that this process may not write",
    (path) => {
      openDatabase(path).database.close();
      chmodSync(path, 0o444);
    },
    "cannot be the scheduler's file: this process may not write it",
  ],
  [
    "a folder that it may not write",
    (path) => chmodSync(dirname(path), 0o555),
    "cannot be opened: its folder must exist",
  ],
])("%s is named with what is wrong", async (_, prepare, why) => {
  const path = join(newPath(), "sluice.db");
  mkdirSync(dirname(path));
  chmodSync(dirname(path), 0o777);
  chmodSync(dirname(dirname(path)), 0o755);
  prepare(path);
  await using child = spawnProcess({ script: openingChild, args: [path, "as nobody"] });
  const line = await child.printed(/Error/, { timeoutMs: 20_000 });
  expect(line).toContain(path);
  expect(line).toContain(why);
});
