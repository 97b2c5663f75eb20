import { existsSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openDatabase } from "../../adapters/sqlite/database.ts";
import type { Op } from "../../adapters/sqlite/messages.ts";
import { renewEpoch } from "../../adapters/sqlite/new-epoch.ts";
import { openSqliteFile } from "../../adapters/sqlite/sqlite-file.ts";
import { Tables } from "../../adapters/sqlite/tables.ts";
import { recordingLogger } from "../support/recording-logger.ts";
import { temporaryPaths, withDatabase } from "./files.ts";

const newPath = temporaryPaths();
const PAGE = 4_096;

/** Some pages of entries, and values on pages of their own. */
function fill(path: string): void {
  const tables = new Tables(openDatabase(path).database);
  const entries = Array.from({ length: 60 }, (_, index): Op => {
    const text = JSON.stringify({
      ref: { cluster: "home", controller: "documents", name: `n${index}` },
      pad: "x".repeat(300),
    });
    return ["put entry", `home/documents//n${index}`, 0, 0, 0, 0, text];
  });
  tables.commit([...entries, ["put value", "part", "y".repeat(3 * PAGE), Number.MAX_SAFE_INTEGER]]);
  tables.close();
}

function overwrite(path: string, from: number, length: number, byte: number): void {
  writeFileSync(path, readFileSync(path).fill(byte, from, from + length));
}

const sample = newPath();
fill(sample);
const pages = readFileSync(sample).length / PAGE;
/** But for the last, which holds the end of a value and nothing else: who reads that finds out. */
const everyPage = Array.from({ length: pages - 1 }, (_, index): [string, (path: string) => void][] => [
  [`page ${index + 1} of ones`, (path) => overwrite(path, index * PAGE, PAGE, 0xff)],
  [`page ${index + 1} of zeros`, (path) => overwrite(path, index * PAGE, PAGE, 0)],
]).flat();

test.each<[string, (path: string) => void]>([
  ...everyPage,
  ["a header of ones", (path) => overwrite(path, 0, 100, 0xff)],
  ["a missing half", (path) => truncateSync(path, Math.floor(pages / 2) * PAGE)],
  ["a torn page", (path) => truncateSync(path, (pages - 2) * PAGE + 100)],
  ...["entry", "line", "kv"].map((table): [string, (path: string) => void] => [
    `no table ${table}`,
    (path) => withDatabase(path, (database) => database.exec(`DROP TABLE ${table}`)),
  ]),
  ["no epoch", (path) => withDatabase(path, (database) => database.exec("DELETE FROM meta"))],
  [
    "a key that names no object",
    (path) => withDatabase(path, (database) => database.exec("UPDATE entry SET key = 'home' WHERE key LIKE '%n7'")),
  ],
])("S14 a file with %s is refused with the command that replaces it, which keeps it aside", (_, damage) => {
  const path = newPath();
  fill(path);
  const { epoch } = withEpoch(path);
  damage(path);
  const damaged = readFileSync(path);
  expect(() => openDatabase(path)).toThrow(`${path} is damaged`);
  expect(() => openDatabase(path)).toThrow(`npx sluice store new-epoch ${path}`);
  const renewed = renewEpoch(path);
  expect(renewed).toEqual({ epoch: expect.any(String), movedTo: `${path}.damaged` });
  expect(renewed.epoch).not.toBe(epoch);
  expect(readFileSync(`${path}.damaged`)).toEqual(damaged);
  expect(withEpoch(path)).toEqual({ epoch: renewed.epoch, entries: 0 });
});

function withEpoch(path: string) {
  const { database, epoch } = openDatabase(path);
  const { entries } = database.prepare("SELECT count(*) AS entries FROM entry").get() as { entries: number };
  database.close();
  return { epoch, entries };
}

test("S14 a second damaged file goes aside under another name", () => {
  const path = newPath();
  for (const movedTo of [`${path}.damaged`, `${path}.damaged-2`]) {
    fill(path);
    overwrite(path, 0, 100, 0xff);
    expect(renewEpoch(path).movedTo).toBe(movedTo);
    expect(existsSync(movedTo)).toBe(true);
  }
});

test.each([
  ["a start", (path: string) => withEpoch(path).epoch],
  ["the command", (path: string) => renewEpoch(path).epoch],
])("an empty file becomes a store by %s", (_, open) => {
  const path = newPath();
  writeFileSync(path, "");
  const epoch = open(path);
  expect(withEpoch(path)).toEqual({ epoch, entries: 0 });
});

test("a damaged file is refused by its thread as well, which lets go of it", async () => {
  const path = newPath();
  fill(path);
  overwrite(path, PAGE, PAGE, 0xff);
  const opened = openSqliteFile(path, { logger: recordingLogger() });
  await expect(opened).rejects.toThrow(`${path} is damaged`);
  await expect(opened).rejects.toThrow(`npx sluice store new-epoch ${path}`);
  expect(renewEpoch(path).movedTo).toBe(`${path}.damaged`);
});
