import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import { createSqliteScheduler } from "../../adapters/scheduler/sqlite.ts";
import { openSqliteFile, renewEpoch, type SqliteFile } from "../../adapters/sqlite-file.ts";
import { createVirtualClock } from "../../adapters/testing/virtual-clock.ts";
import { schedulingOptions } from "../../functions/contract/index.ts";
import type { Scheduler } from "../../functions/ports/index.ts";
import { recordingLogger } from "../support/recording-logger.ts";
import { CONTROLLER, refOf, success, triggerOf } from "../support/shard.ts";
import { testScheduler } from "./scheduler.case.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-sqlite-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newPath = () => join(folder, `${++files}.db`);

testScheduler(
  () => {
    const path = newPath();
    let open: { scheduler: Scheduler; file: SqliteFile } | undefined;
    const crash = () => {
      open?.scheduler.close();
      open?.file.close();
      open = undefined;
    };
    return {
      open: (options) => {
        const file = openSqliteFile(path);
        open = { file, scheduler: createSqliteScheduler(file, options) };
        return open.scheduler;
      },
      crash,
      cleanUp: crash,
    };
  },
  { durable: true, timer: "platform" },
);

test("S3 a commit that fails refuses the whole batch, keeps nothing, and stores answers later", async () => {
  const file = openSqliteFile(newPath());
  const clock = createVirtualClock(0);
  const scheduler = createSqliteScheduler(file, {
    controllers: new Map([[CONTROLLER, schedulingOptions.parse({})]]),
    clock,
    logger: recordingLogger(),
    invoker: { invoke: async () => success },
  });
  await scheduler.accept("home", [triggerOf("a")]);
  file.database.exec("CREATE TRIGGER full BEFORE INSERT ON entry BEGIN SELECT RAISE(ABORT, 'disk full'); END");
  file.database.exec("CREATE TRIGGER full2 BEFORE DELETE ON entry BEGIN SELECT RAISE(ABORT, 'disk full'); END");
  await expect(scheduler.accept("home", [triggerOf("b"), triggerOf("c")])).rejects.toThrow("disk full");
  await clock.settle();
  expect(scheduler.size()).toEqual({ entries: 1, running: 1 });
  file.database.exec("DROP TRIGGER full; DROP TRIGGER full2");
  await clock.advance(1_000);
  expect(scheduler.size()).toEqual({ entries: 0, running: 0 });
  expect(scheduler.inspect(refOf("b"))).toBeUndefined();
  scheduler.close();
  file.close();
});

test("S14 renewing the epoch gives the store another one", () => {
  const path = newPath();
  const first = openSqliteFile(path);
  first.close();
  const epoch = renewEpoch(path);
  expect(epoch).not.toBe(first.epoch);
  const second = openSqliteFile(path);
  expect(second.epoch).toBe(epoch);
  second.close();
});

test("a file of a later schema version is refused, and left as it is", () => {
  const path = newPath();
  openSqliteFile(path).close();
  const later = new DatabaseSync(path);
  later.exec("PRAGMA user_version = 99");
  later.close();
  expect(() => openSqliteFile(path)).toThrow("schema version 99; this release knows 1 and older");
});

test("a file that is open already is refused by name", () => {
  const path = newPath();
  const first = openSqliteFile(path);
  expect(() => openSqliteFile(path)).toThrow(`${path} cannot be the scheduler's file: it is in use by another process`);
  first.close();
});

test.each([
  ["a text", (path: string) => writeFileSync(path, "no database, but longer than a header ".repeat(20))],
  ["somebody else's database", (path: string) => withDatabase(path, "CREATE TABLE users (name TEXT)")],
  [
    "one with a version of somebody else's",
    (path: string) => withDatabase(path, "PRAGMA user_version = 1; CREATE TABLE a (b)"),
  ],
])("%s is refused by name and left as it is, when a scheduler or a new epoch asks for it", (_, make) => {
  const path = newPath();
  make(path);
  const before = readFileSync(path);
  expect(() => openSqliteFile(path)).toThrow(`${path} cannot be the scheduler's file`);
  expect(() => renewEpoch(path)).toThrow(`${path} cannot be the scheduler's file`);
  expect(readFileSync(path)).toEqual(before);
});

test("an entry that is damaged is named with its file", () => {
  const path = newPath();
  const file = openSqliteFile(path);
  file.database.exec("INSERT INTO entry VALUES ('home/documents/default/a', 'no JSON')");
  const options = { controllers: new Map(), clock: createVirtualClock(0), logger: recordingLogger() };
  const open = () => createSqliteScheduler(file, { ...options, invoker: { invoke: async () => success } });
  expect(open).toThrow(`${path}: the entry of home/documents/default/a is damaged`);
  file.close();
});

function withDatabase(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}
