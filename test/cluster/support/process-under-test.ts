import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { Step } from "../../../functions/ports/steps.ts";
import { type Hold, holdsVariable, type StepRelease, type StepReport } from "./child-steps.ts";
import { guardProcessGroup, releaseProcessGroup } from "./process-guard.ts";

export type ProcessOptions = {
  /** A TypeScript file, run unbuilt; or, with `command`, a name for it. */
  script: string;
  /** Another program to run instead, with its arguments. */
  command?: readonly string[];
  args?: readonly string[];
  /** On top of this process's own. */
  env?: Record<string, string>;
  /** Where it is to be held; it must then use `ipcSteps()`. The first occurrence unless said otherwise. */
  hold?: readonly (Step | Hold)[];
};

export type Exit = { code: number | null; signal: NodeJS.Signals | null };

/**
 * Starts a Node process that a test holds, releases and kills at named steps. Whatever becomes of the test, the process
 * and its children end with it.
 *
 * @example
 * ```ts
 * await using app = spawnProcess({ script: "app.ts", hold: ["first write done"] });
 * await app.reached("first write done", { timeoutMs: 10_000 });
 * await app.kill9();
 * ```
 */
export function spawnProcess(options: ProcessOptions): ProcessUnderTest {
  return new ProcessUnderTest(options);
}

export class ProcessUnderTest implements AsyncDisposable {
  readonly stdout: string[] = [];
  readonly stderr: string[] = [];
  readonly exited: Promise<Exit>;
  readonly #child: ChildProcess;
  readonly #reached = new Set<Step>();
  /** Called whenever there is something new to look at. */
  readonly #onNews = new Set<() => void>();
  #exit: Exit | undefined;

  constructor(options: ProcessOptions) {
    const holds = (options.hold ?? []).map((hold) => (typeof hold === "string" ? { step: hold, occurrence: 1 } : hold));
    const unbuilt = [process.execPath, "--conditions=sluice-source", options.script];
    const [file = "", ...args] = [...(options.command ?? unbuilt), ...(options.args ?? [])];
    this.#child = spawn(file, args, {
      detached: true,
      env: { ...process.env, ...options.env, [holdsVariable]: JSON.stringify(holds) },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    guardProcessGroup(this.pid);
    this.#collect(this.#child.stdout, this.stdout);
    this.#collect(this.#child.stderr, this.stderr);
    this.#child.on("message", ({ reached }: StepReport) => this.#tell(() => this.#reached.add(reached)));
    // "close" comes after the last of its output, "exit" may come before.
    this.exited = new Promise((resolve) =>
      this.#child.once("close", (code, signal) => {
        releaseProcessGroup(this.pid);
        this.#tell(() => {
          this.#exit = { code, signal };
        });
        resolve({ code, signal });
      }),
    );
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error("the process could not be started");
    return this.#child.pid;
  }

  /** Waits until the process stands at a step that it was asked to be held at. @throws if it never gets there. */
  async reached(step: Step, { timeoutMs }: { timeoutMs: number }): Promise<void> {
    await this.#until(`step "${step}" reached`, timeoutMs, () => this.#reached.has(step));
  }

  /** Waits for a line of its stdout, and returns it. Looks at the lines of before, too. */
  printed(line: string | RegExp, { timeoutMs }: { timeoutMs: number }): Promise<string> {
    return this.#line(this.stdout, line, timeoutMs);
  }

  /** The same of its stderr, where logs go. */
  complained(line: string | RegExp, { timeoutMs }: { timeoutMs: number }): Promise<string> {
    return this.#line(this.stderr, line, timeoutMs);
  }

  /** Lets it go on from a step where it stands. */
  release(step: Step): void {
    if (!this.#reached.delete(step)) throw new Error(`the process does not stand at step "${step}"`);
    this.#child.send({ release: step } satisfies StepRelease);
  }

  /** Kills it and its children at once; resolves when it is gone. */
  async kill9(): Promise<void> {
    this.#signal("SIGKILL");
    await this.exited;
  }

  /** Sends SIGTERM to it and its children, as a terminal or a supervisor would. */
  terminate(): Promise<Exit> {
    this.#signal("SIGTERM");
    return this.exited;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill9();
  }

  #line(lines: readonly string[], line: string | RegExp, timeoutMs: number): Promise<string> {
    const fits = (text: string) => (typeof line === "string" ? text === line : line.test(text));
    return this.#until(`line ${line} printed`, timeoutMs, () => lines.find(fits));
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#exit) return;
    try {
      process.kill(-this.pid, signal);
    } catch (error) {
      // It may have ended by itself a moment ago.
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }

  #collect(stream: Readable | null, into: string[]): void {
    if (stream) createInterface({ input: stream }).on("line", (line) => this.#tell(() => into.push(line)));
  }

  #tell(change: () => void): void {
    change();
    for (const look of this.#onNews) look();
  }

  #until<T>(what: string, timeoutMs: number, find: () => T | undefined | false): Promise<T> {
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        this.#onNews.delete(look);
        clearTimeout(timer);
        act();
      };
      const fail = (why: string) =>
        settle(() => reject(new Error(`${what}: ${why}\n${[...this.stdout, ...this.stderr].slice(-20).join("\n")}`)));
      const look = () => {
        const found = find();
        if (found) settle(() => resolve(found));
        else if (this.#exit) fail(`the process ended before (${this.#exit.signal ?? this.#exit.code})`);
      };
      const timer = setTimeout(() => fail(`not within ${timeoutMs} ms`), timeoutMs);
      this.#onNews.add(look);
      look();
    });
  }
}
