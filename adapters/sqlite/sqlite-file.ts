import { Worker } from "node:worker_threads";
import type { Logger } from "../../functions/ports/index.ts";
import type { Answer, EntryColumns, Op, Opening, Question, Questions } from "./messages.ts";

/** One open file: the scheduler's entries, failure records and checkpoints live in it side by side. */
export interface SqliteFile {
  readonly path: string;
  /** Made with the store (S14). */
  readonly epoch: string;
  /**
   * Writes all or nothing of this, in the order of the calls. What comes while a commit is under way is one transaction, the
   * next. Resolves when it is durable.
   * @throws when nothing of it was written.
   */
  write(ops: readonly Op[]): Promise<void>;
  /** The value of a key, with all that was written before, where it ends later than `now`. */
  value(key: string, now: number): Promise<string | undefined>;
  /** All entries, a page at a time. */
  entries(): AsyncIterable<EntryColumns>;
  /** Since when lines are parked. */
  lines(): Promise<ReadonlyMap<string, number>>;
  /** Lets go of the file, once all that came before is done. */
  close(): Promise<void>;
}

export type SqliteFileOptions = {
  logger: Logger;
  /** The thread's file. Another one is for tests. */
  thread?: URL;
};

/** What the thread holds for longer is SQLite's, so its own young objects need not be many. */
const YOUNG_MB = 2;

/**
 * Opens the file in a thread of its own, creates it where it is absent: WAL, `synchronous=FULL`, locked for this process. The
 * entries of an earlier version are dropped; its epoch is a new one then, so every relay triggers everything once.
 * @throws Error that names the file: when it is damaged, of a later schema version, not the scheduler's, or in use.
 * @example
 * const file = await openSqliteFile("state/sluice.db", { logger });
 * const scheduler = await createSqliteScheduler(file, { controllers, clusters, invoker, clock, logger });
 */
export async function openSqliteFile(path: string, { logger, thread }: SqliteFileOptions): Promise<SqliteFile> {
  const worker = new Worker(thread ?? threadUrl(path), {
    name: "sluice-sqlite",
    workerData: { path },
    // What this process was started with (a debugger, a tracer, options of its heap) is not meant for the thread.
    env: {},
    execArgv: ["--disable-warning=ExperimentalWarning"],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  });
  const opening = await openingOf(worker, path);
  if ("fault" in opening) {
    await worker.terminate();
    throw new Error(opening.fault);
  }
  if (opening.dropped !== undefined)
    logger.warn("dropped the entries of an earlier version's store; every relay triggers everything once", {
      file: path,
      entries: opening.dropped,
    });
  return new ThreadedFile(path, opening.epoch, worker, logger);
}

/** What the thread says of the opening, or why it says nothing. */
async function openingOf(worker: Worker, path: string): Promise<Opening> {
  const { promise, resolve } = Promise.withResolvers<Opening>();
  const onError = (error: Error) => resolve({ fault: startFault(path, error) });
  const onExit = (code: number) => resolve({ fault: `${path} cannot be opened: its thread ended with ${code}` });
  worker.once("message", resolve).once("error", onError).once("exit", onExit);
  const opening = await promise;
  worker.off("message", resolve).off("error", onError).off("exit", onExit);
  return opening;
}

type Waiter = { resolve: (answer: unknown) => void; reject: (error: Error) => void };

class ThreadedFile implements SqliteFile {
  readonly path: string;
  readonly epoch: string;
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiter>();
  #asked: Question[] = [];
  #lastId = 0;
  #end: Error | undefined;
  #closing: Promise<void> | undefined;

  constructor(path: string, epoch: string, worker: Worker, logger: Logger) {
    this.path = path;
    this.epoch = epoch;
    this.#worker = worker;
    worker.unref();
    let cause: unknown;
    worker.on("message", (answers: Answer[]) => this.#answered(answers));
    worker.on("error", (error) => {
      cause = error;
    });
    worker.on("exit", (code) => {
      if (this.#closing) return this.#endWith(new Error(`${path} is closed`));
      const error = new Error(`${path} cannot be written: its thread has ended`, { cause });
      logger.error("the thread of the store has ended", { file: path, code, error: String(cause ?? "unknown") });
      this.#endWith(error);
    });
  }

  async write(ops: readonly Op[]): Promise<void> {
    await this.#ask("write", ops);
  }

  async value(key: string, now: number): Promise<string | undefined> {
    return (await this.#ask("value", { key, now })) ?? undefined;
  }

  async *entries(): AsyncIterable<EntryColumns> {
    for (let after = ""; ; ) {
      const page = await this.#ask("entries", { after });
      const last = page.keys.at(-1);
      if (last === undefined) return;
      yield page;
      after = last;
    }
  }

  async lines(): Promise<ReadonlyMap<string, number>> {
    return new Map(await this.#ask("lines", null));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.#end) return;
    const closed = this.#ask("close", null);
    const exited = new Promise((resolve) => this.#worker.once("exit", resolve));
    this.#end = new Error(`${this.path} is closed`);
    try {
      await closed;
    } finally {
      await exited;
    }
  }

  #ask<Name extends keyof Questions>(
    question: Name,
    asked: Questions[Name]["asked"],
  ): Promise<Questions[Name]["answer"]> {
    if (this.#end) return Promise.reject(this.#end);
    const id = ++this.#lastId;
    if (this.#asked.push({ id, question, asked } as Question) === 1) queueMicrotask(() => this.#send());
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as Waiter["resolve"], reject });
    });
  }

  /** All that was asked at this moment is one message. */
  #send(): void {
    this.#worker.ref(); // a process waits for what it has asked, and for nothing else of the thread
    this.#worker.postMessage(this.#asked);
    this.#asked = [];
  }

  #answered(answers: readonly Answer[]): void {
    for (const answer of answers) {
      const waiter = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if ("fault" in answer) waiter?.reject(new Error(answer.fault));
      else waiter?.resolve(answer.answer);
    }
    if (this.#waiting.size === 0 && !this.#closing) this.#worker.unref();
  }

  #endWith(error: Error): void {
    this.#end = error;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

/** Its thread is beside it: unbuilt as TypeScript, in the package as JavaScript. */
function threadUrl(path: string): URL {
  const here = import.meta.url;
  if (!URL.canParse(here)) throw new Error(missingThread(path, "thread.js"));
  return new URL(here.endsWith(".ts") ? "./thread.ts" : "./thread.js", here);
}

function startFault(path: string, error: Error & { code?: string }): string {
  const isMissing = error.code === "ERR_MODULE_NOT_FOUND" || error.code === "MODULE_NOT_FOUND";
  return isMissing ? missingThread(path, error.message) : `${path} cannot be opened: ${error.message}`;
}

const missingThread = (path: string, what: string): string =>
  `${path} cannot be opened: the file of its thread is missing (${what}). If a bundler has left it out, keep the package sluice out of the bundle ("external")`;
