/**
 * The thread of a SQLite file as it is, but for what a test does to it at its statements: it holds it before a commit, ends
 * the process with `kill -9` after the nth statement, or has the thread break before it answers.
 * @module
 */
import { DatabaseSync, StatementSync } from "node:sqlite";
import { getEnvironmentData, parentPort } from "node:worker_threads";
import { COMMITS, HELD, RELEASED, STEPS, type Steps } from "./steps.ts";

const { memory, holdCommits = false, killAfter, dieAt } = getEnvironmentData(STEPS) as unknown as Steps;
const counts = new Int32Array(memory);
let done = 0;

const { run } = StatementSync.prototype;
StatementSync.prototype.run = function (this: StatementSync, ...values: unknown[]) {
  if (this.sourceSQL === dieAt) parentPort!.postMessage = fail;
  if (this.sourceSQL === "COMMIT") {
    Atomics.add(counts, COMMITS, 1);
    if (holdCommits) hold();
  }
  const changes = Reflect.apply(run, this, values);
  step();
  return changes;
};

const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string) {
  Reflect.apply(exec, this, [sql]);
  step();
};

function step(): void {
  if (++done === killAfter) process.kill(process.pid, "SIGKILL");
}

function hold(): void {
  const released = Atomics.load(counts, RELEASED);
  Atomics.add(counts, HELD, 1);
  Atomics.notify(counts, HELD);
  Atomics.wait(counts, RELEASED, released);
}

function fail(): never {
  throw new Error("the thread broke");
}

await import("../../adapters/sqlite/thread.ts");
