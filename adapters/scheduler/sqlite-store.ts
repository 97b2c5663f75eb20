import type { Logger } from "../../functions/ports/index.ts";
import type { EntryColumns, Op } from "../sqlite/messages.ts";
import type { SqliteFile } from "../sqlite/sqlite-file.ts";
import type { Entry } from "./entry.ts";
import { entryInstead, parseEntry } from "./entry-text.ts";
import { QUEUES } from "./line.ts";
import type { Changes, Row } from "./state.ts";
import type { Store } from "./store.ts";

type Options = { logger: Logger; now: () => number };

/** The store in a SQLite file. The texts of all entries are here, and parsed when they are read. */
export class SqliteStore implements Store {
  readonly durable = true;
  readonly epoch: string;
  readonly #file: SqliteFile;
  readonly #options: Options;
  readonly #texts = new Map<string, string>();
  readonly #parked: ReadonlyMap<string, number>;
  #loaded: Row[] = [];
  /** What is not durable yet and not on its way, by what it is about. */
  #unsaved = new Map<string, Op>();
  #saving: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  /** @throws Error when the file cannot be read. */
  static async open(file: SqliteFile, options: Options): Promise<SqliteStore> {
    const store = new SqliteStore(file, options, await file.lines());
    for await (const page of file.entries()) store.#take(page);
    return store;
  }

  private constructor(file: SqliteFile, options: Options, parked: ReadonlyMap<string, number>) {
    this.epoch = file.epoch;
    this.#file = file;
    this.#options = options;
    this.#parked = parked;
  }

  *load(): Iterable<Row> {
    const loaded = this.#loaded;
    this.#loaded = [];
    yield* loaded;
  }

  parked(): ReadonlyMap<string, number> {
    return this.#parked;
  }

  read(key: string): Entry | undefined {
    const text = this.#texts.get(key);
    return text === undefined ? undefined : (parseEntry(key, text) ?? this.#replace(key));
  }

  commit({ entries, parked }: Changes): Promise<void> {
    for (const [key, entry] of entries) this.#set(key, entry);
    for (const [line, at] of parked)
      this.#unsaved.set(`line ${line}`, at === null ? ["delete line", line] : ["put line", line, at]);
    return this.#save();
  }

  close(): void {}

  #take({ keys, queues, places, written, special, texts }: EntryColumns): void {
    for (const [index, key] of keys.entries()) {
      const text = texts[index];
      const queue = QUEUES[queues[index] as number];
      const place = places[index];
      const writtenAt = written[index];
      const isWhole = queue !== undefined && typeof place === "number" && typeof writtenAt === "number";
      if (isWhole && typeof text === "string") {
        this.#texts.set(key, text);
        this.#loaded.push(special[index] === 0 ? { key, queue, place, writtenAt } : rowOf(key, this.read(key)!));
      } else this.#loaded.push(rowOf(key, this.#replace(key)));
    }
  }

  /** Nothing is lost with a damaged entry but how its key fared: it runs again. */
  #replace(key: string): Entry {
    this.#options.logger.error("an entry is damaged; its key runs now", { key, file: this.#file.path });
    const entry = entryInstead(key, this.#options.now());
    this.#set(key, entry);
    return entry;
  }

  #set(key: string, entry: Entry | null): void {
    if (entry) {
      const text = JSON.stringify(entry);
      this.#texts.set(key, text);
      this.#unsaved.set(key, putOf(key, entry, text));
    } else {
      this.#texts.delete(key);
      this.#unsaved.set(key, ["delete entry", key]);
    }
  }

  /**
   * One write is under way at a time: so what failed goes with the next one, and none is durable before what was committed
   * earlier.
   */
  #save(): Promise<void> {
    if (this.#saving) {
      this.#next ??= this.#saving.then(
        () => this.#saveNext(),
        () => this.#saveNext(),
      );
      return this.#next;
    }
    if (this.#unsaved.size === 0) return Promise.resolve();
    const sent = this.#unsaved;
    this.#unsaved = new Map();
    this.#saving = this.#write(sent);
    return this.#saving;
  }

  #saveNext(): Promise<void> {
    this.#next = undefined;
    return this.#save();
  }

  async #write(sent: Map<string, Op>): Promise<void> {
    try {
      await this.#file.write([...sent.values()]);
    } catch (error) {
      this.#unsaved = new Map([...sent, ...this.#unsaved]); // what is newer stands
      throw error;
    } finally {
      this.#saving = undefined;
    }
  }
}

function rowOf(key: string, entry: Entry): Row {
  return { key, queue: entry.queue, place: entry.place, writtenAt: entry.writtenAt, entry };
}

function putOf(key: string, entry: Entry, text: string): Op {
  const isSpecial = entry.lease !== null || entry.refused !== null || entry.lost > 0;
  return ["put entry", key, QUEUES.indexOf(entry.queue), entry.place, entry.writtenAt, Number(isSpecial), text];
}
