import { join } from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "../../adapters/sqlite/database.ts";
import { Tables } from "../../adapters/sqlite/tables.ts";
import { spawnProcess } from "../cluster/support/process-under-test.ts";
import { temporaryPaths } from "./files.ts";

const newPath = temporaryPaths();
const AT_ONCE = 6;
const child = join(import.meta.dirname, "killed-child.ts");

type Run = { statements: number; path: string; isKilled: boolean; acknowledged: string[] };

/** Runs the child until it has done so many statements. */
async function runUntil(statements: number): Promise<Run> {
  const path = newPath();
  await using run = spawnProcess({ script: child, args: [path, String(statements)] });
  const { code, signal } = await run.exited;
  if (signal === null && code !== 0) throw new Error(run.stderr.join("\n"));
  return { statements, path, isKilled: signal === "SIGKILL", acknowledged: run.stdout };
}

function contents(path: string) {
  const tables = new Tables(openDatabase(path).database);
  const names = tables.entries({ after: "" }).keys.map((key) => key.split("/").at(-1)!);
  const values = ["value-1", "value-2"].filter((key) => tables.value({ key, now: 0 }) !== null);
  tables.close();
  return { names, values };
}

function check({ statements, path, acknowledged }: Run): void {
  const { names, values } = contents(path);
  const after = `after statement ${statements}`;
  for (const round of ["1", "2"]) {
    const isThere = names.includes(`left-${round}`);
    expect(names.includes(`right-${round}`), after).toBe(isThere);
    if (acknowledged.includes(round)) expect(isThere, after).toBe(true);
  }
  for (const value of acknowledged.filter((each) => each.startsWith("value"))) expect(values, after).toContain(value);
}

test("S3 what was acknowledged survives kill -9 after any statement, and a batch is there whole or not at all", async () => {
  let last: Run | undefined;
  for (let statements = 0; !last; statements += AT_ONCE) {
    const runs = await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => runUntil(statements + index + 1)));
    for (const run of runs) check(run);
    last = runs.find(({ isKilled }) => !isKilled);
  }
  expect(last.statements).toBeGreaterThan(15);
  expect(last.acknowledged.sort()).toEqual(["1", "2", "value-1", "value-2"]);
}, 120_000);
