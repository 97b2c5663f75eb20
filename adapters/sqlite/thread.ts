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

class Work {
  readonly #tables: Tables;
  #writes: Write[] = [];
  #answers: Answer[] = [];

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  /** Works off all that has come. */
  workOff(first: Question[]): void {
    for (let asked: Question[] | undefined = first; asked; asked = receiveMessageOnPort(port)?.message)
      for (const question of asked) {
        if (question.question !== "write") {
          this.#commit();
          this.#answer(question, "cannot be read", () => this.#answerOf(question));
        } else if (this.#writes.push(question) >= MOST_WRITES) this.#commit();
      }
    this.#commit();
    this.#send();
  }

  /** What fails together is tried once more alone: a value that cannot be written must not hold up entries. */
  #commit(): void {
    const writes = this.#writes;
    this.#writes = [];
    if (writes.length > 0) this.#send(); // who has an answer need not wait for this
    if (writes.length > 1) {
      try {
        this.#tables.commit(writes.flatMap(({ asked }) => asked));
        this.#answers = writes.map(({ id }) => ({ id, answer: null }));
        return;
      } catch {
        // Each says below what is wrong with it.
      }
    }
    for (const write of writes)
      this.#answer(write, "cannot be written", () => {
        this.#tables.commit(write.asked);
        return null;
      });
  }

  #answerOf(question: Exclude<Question, Write>): unknown {
    switch (question.question) {
      case "value":
        return this.#tables.value(question.asked);
      case "entries":
        return this.#tables.entries(question.asked);
      case "lines":
        return this.#tables.lines();
      case "close":
        this.#tables.close();
        return null;
    }
  }

  #answer({ id, question }: Question, what: string, answer: () => unknown): void {
    try {
      this.#answers.push({ id, answer: answer() });
    } catch (error) {
      this.#answers.push({ id, fault: faultOf(path, error, what).message });
    }
    if (question !== "close") return;
    this.#send();
    port.close();
  }

  #send(): void {
    if (this.#answers.length > 0) port.postMessage(this.#answers);
    this.#answers = [];
  }
}

try {
  const { database, epoch, dropped } = openDatabase(path);
  const work = new Work(new Tables(database));
  port.on("message", (first: Question[]) => work.workOff(first));
  port.postMessage({ epoch, ...(dropped !== undefined && { dropped }) } satisfies Opening);
} catch (error) {
  port.postMessage({ fault: (error as Error).message } satisfies Opening);
}
