/**
 * The thread that owns a SQLite file: a commit waits for the disk, and nothing else should. Writes that come while one is
 * committed are the next transaction; what is asked is answered in the order in which it came.
 * @module
 */
import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { openDatabase } from "./database.ts";
import { faultOf } from "./fault.ts";
import type { Answer, Opening, Question } from "./messages.ts";
import { Tables } from "./tables.ts";

type Write = Extract<Question, { question: "write" }>;

/** A transaction holds no more writes than this, however fast they come. */
const MOST_WRITES = 1_000;

const port = parentPort!;
const { path } = workerData as { path: string };
try {
  const { database, epoch, dropped } = openDatabase(path);
  const tables = new Tables(database);
  port.on("message", (first: Question) => work(tables, first));
  port.postMessage({ epoch, ...(dropped !== undefined && { dropped }) } satisfies Opening);
} catch (error) {
  port.postMessage({ fault: (error as Error).message } satisfies Opening);
}

/** Works off all that has come. */
function work(tables: Tables, first: Question): void {
  let writes: Write[] = [];
  for (let next: Question | undefined = first; next; next = receiveMessageOnPort(port)?.message) {
    if (next.question === "write" && writes.length < MOST_WRITES) writes.push(next);
    else {
      commit(tables, writes);
      writes = [];
      if (next.question === "write") writes.push(next);
      else reply(next, "cannot be read", () => answerOf(tables, next as Exclude<Question, Write>));
      if (next.question === "close") port.close();
    }
  }
  commit(tables, writes);
}

/** What fails together is tried once more alone: a value that cannot be written must not hold up entries. */
function commit(tables: Tables, writes: readonly Write[]): void {
  if (writes.length > 1) {
    try {
      tables.commit(writes.flatMap(({ asked }) => asked));
      for (const write of writes) reply(write, "", () => null);
      return;
    } catch {
      // Each says below what is wrong with it.
    }
  }
  for (const write of writes)
    reply(write, "cannot be written", () => {
      tables.commit(write.asked);
      return null;
    });
}

function answerOf(tables: Tables, question: Exclude<Question, Write>): unknown {
  switch (question.question) {
    case "value":
      return tables.value(question.asked);
    case "entries":
      return tables.entries(question.asked);
    case "lines":
      return tables.lines();
    case "close":
      tables.close();
      return null;
  }
}

function reply({ id }: Question, what: string, answer: () => unknown): void {
  let message: Answer;
  try {
    message = { id, answer: answer() };
  } catch (error) {
    message = { id, fault: faultOf(path, error, what).message };
  }
  port.postMessage(message);
}
