import { afterEach, expect, test } from "vitest";
import { openDatabase } from "../../adapters/sqlite/database.ts";
import type { Op } from "../../adapters/sqlite/messages.ts";
import { openSqliteFile, type SqliteFile } from "../../adapters/sqlite/sqlite-file.ts";
import { recordingLogger } from "../support/recording-logger.ts";
import { temporaryPaths, withDatabase } from "./files.ts";
import { SteppedThread } from "./steps.ts";

const newPath = temporaryPaths();
const logger = recordingLogger();
let file: SqliteFile | undefined;
afterEach(() => file?.close());

const put = (key: string): Op => ["put value", key, `value of ${key}`, 1];
const putEntry = (name: string): Op => ["put entry", `home/documents//${name}`, 0, 0, 0, 0, "{}"];
const DISK_FULL: Op = ["put value", "full", "yes", 1];
const DISK_FREE: Op = ["delete value", "full"];

/** A file in which no entry can be written, by one of SQLite's ways to fail, while a value says that the disk is full. */
async function openFull(how: "ABORT" | "FAIL" | "ROLLBACK", thread?: SteppedThread): Promise<SqliteFile> {
  const path = newPath();
  openDatabase(path).database.close();
  withDatabase(path, (database) =>
    database.exec(`CREATE TRIGGER full BEFORE INSERT ON entry WHEN EXISTS (SELECT 1 FROM kv WHERE key = 'full')
      BEGIN SELECT RAISE(${how}, 'no room'); END`),
  );
  file = await openSqliteFile(path, { logger, ...(thread && { thread: thread.url }) });
  return file;
}

/** Whatever the thread sent before it was held has come after a few turns of the event loop. */
async function delivered(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
}

async function keysOf(file: SqliteFile): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of file.entries()) keys.push(...page.keys);
  return keys;
}

test("S3 writes that come while a commit is under way are one transaction, the next", async () => {
  const thread = new SteppedThread({ holdCommits: true });
  file = await openSqliteFile(newPath(), { logger, thread: thread.url });
  const before = thread.commits;
  const durable: string[] = [];
  const write = (key: string) => file!.write([put(key)]).then(() => durable.push(key));
  const first = write("first");
  await thread.held(1);
  const others = Array.from({ length: 64 }, (_, index) => write(`${index}`));
  await delivered();
  expect(durable).toEqual([]);
  thread.release();
  await first;
  await thread.held(2);
  await delivered();
  expect(durable).toEqual(["first"]);
  thread.release();
  await Promise.all(others);
  expect(durable).toEqual(["first", ...Array.from({ length: 64 }, (_, index) => `${index}`)]);
  expect(thread.commits - before).toBe(2);
});

test("a value is read with all that was written before", async () => {
  file = await openSqliteFile(newPath(), { logger });
  const written = [file.write([put("a")]), file.write([["put value", "a", "newer", 1]])];
  expect(await file.value("a", 0)).toBe("newer");
  await Promise.all([...written, file.write([["delete value", "a"]])]);
  expect(await file.value("a", 0)).toBeUndefined();
});

test("close waits for what was written before, and refuses what comes after", async () => {
  const path = newPath();
  const opened = await openSqliteFile(path, { logger });
  const written = opened.write([put("a")]);
  const closed = opened.close();
  await expect(opened.write([put("b")])).rejects.toThrow(`${path} is closed`);
  await Promise.all([written, closed]);
  file = await openSqliteFile(path, { logger });
  expect([await file.value("a", 0), await file.value("b", 0)]).toEqual(["value of a", undefined]);
});

test.each(["ABORT", "FAIL", "ROLLBACK"] as const)(
  "S3 a write that fails in its middle by %s is not written at all, and the next one goes through",
  async (how) => {
    const file = await openFull(how);
    await file.write([DISK_FULL]);
    const some = [put("value"), putEntry("a"), putEntry("b")];
    await expect(file.write(some)).rejects.toThrow(`${file.path} cannot be written: no room`);
    expect([await keysOf(file), await file.value("value", 0)]).toEqual([[], undefined]);
    await file.write([DISK_FREE, ...some]);
    expect([await keysOf(file), await file.value("value", 0)]).toEqual([
      ["home/documents//a", "home/documents//b"],
      "value of value",
    ]);
  },
);

test("S15 what fails in one transaction with others fails alone", async () => {
  const thread = new SteppedThread({ holdCommits: true });
  const file = await openFull("ABORT", thread);
  const full = file.write([DISK_FULL]);
  await thread.held(1);
  const settled = Promise.allSettled([file.write([put("a")]), file.write([putEntry("a")]), file.write([put("b")])]);
  thread.release();
  await full;
  for (const nth of [2, 3]) {
    await thread.held(nth);
    thread.release();
  }
  expect((await settled).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});

test("S3 when its thread ends, writes under way and later ones are refused, and the log has the cause", async () => {
  const path = newPath();
  const log = recordingLogger();
  const dying = new SteppedThread({ dieAt: "DELETE FROM kv WHERE key = ?" });
  const file = await openSqliteFile(path, { logger: log, thread: dying.url });
  await file.write([put("kept")]);
  const writes = await Promise.allSettled([file.write([["delete value", "none"]]), file.write([put("unanswered")])]);
  const refused = `${path} cannot be written: its thread has ended`;
  expect(writes).toMatchObject([{ reason: { message: refused } }, { reason: { message: refused } }]);
  await expect(file.write([put("later")])).rejects.toThrow(refused);
  expect(log.lines).toMatchObject([{ level: "error", fields: { file: path, error: "Error: the thread broke" } }]);
  await file.close();
  const again = await openSqliteFile(path, { logger });
  expect([await again.value("kept", 0), await again.value("later", 0)]).toEqual(["value of kept", undefined]);
  await again.close();
});
