import { readFileSync } from "node:fs";
import { join } from "node:path";
import { processesOf } from "../../bench/harness/process-table.ts";
import { type Exit, type ProcessUnderTest, spawnProcess } from "../support/process-under-test.ts";

/** The documents example on workerd as a process under test, with its relay and its workerd. */
export type ExampleProcess = AsyncDisposable & {
  readonly process: ProcessUnderTest;
  ready(): Promise<unknown>;
  /** By SIGTERM to its whole process group, as a terminal or a supervisor sends it. @returns what it reported. */
  stop(): Promise<{ exit: Exit; reconciles: number; errors: number }>;
  /** Of its parts, which have process groups of their own. */
  pidsOf(part: "relay" | "workerd"): number[];
};

export const LIMIT_MS = 60_000;

export function startExample(env: { KUBECONFIG: string; STATE_DIR: string }): ExampleProcess {
  const process = spawnProcess({
    script: join(import.meta.dirname, "../../../examples/run.ts"),
    args: ["documents", "--runtime", "workerd"],
    env: { ...env, REPORT: "1" },
  });
  return {
    process,
    ready: () => process.printed("ready", { timeoutMs: LIMIT_MS }),
    async stop() {
      const exit = await process.terminate();
      const line = process.stdout.find((text) => text.includes('"reconciles"'));
      return {
        exit,
        ...(JSON.parse(line ?? '{"reconciles":-1,"errors":-1}') as { reconciles: number; errors: number }),
      };
    },
    pidsOf(part) {
      const sign = part === "relay" ? "infra/cli/main.ts" : "workerd";
      return processesOf(process.pid)
        .filter(({ zombie }) => !zombie)
        .map(({ pid }) => pid)
        .filter((pid) => commandOf(pid)[part === "relay" ? 2 : 0]?.endsWith(sign));
    },
    [Symbol.asyncDispose]: () => process.kill9(),
  };
}

function commandOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return [];
  }
}
