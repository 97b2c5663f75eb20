import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Measured } from "./harness/session.ts";
import { Session, type SessionOptions } from "./harness/session.ts";
import { bulk } from "./scenarios/bulk.ts";
import { type Check, check } from "./scenarios/check.ts";
import { type Cold, cold } from "./scenarios/cold.ts";
import { type Latency, latency } from "./scenarios/latency.ts";
import { type Restart, restart } from "./scenarios/restart.ts";

/** In the order in which they run: each takes up where the one before left off. */
export const scenarios = { cold, latency, bulk, check, restart } as const;
export type ScenarioName = keyof typeof scenarios;

export type Results = { cold?: Cold; latency?: Latency; bulk?: Measured; check?: Check; restart?: Restart };
export type Report = { name: string; command: string; scenarios: Results; failures: Record<string, string> };

export type Candidate = {
  name: string;
  command: string;
  /** What a restart with nothing changed may invoke at most (R7): a handful, for runs that went on while it stopped. */
  restartInvocations?: number;
};

export const runtimes = ["node", "workerd"] as const;
export type RuntimeName = (typeof runtimes)[number];

/** Our example on a runtime, and every program in the folder of the peers' binaries. */
export function candidates(peersFolder: string | undefined, runtime: RuntimeName = "node"): Candidate[] {
  const name = runtime === "node" ? "sluice" : `sluice on ${runtime}`;
  const ours = {
    ...{ name, command: `exec npm run -s example -- documents --runtime ${runtime}` },
    restartInvocations: 5,
  };
  if (!peersFolder) return [ours];
  if (!existsSync(peersFolder)) throw new Error(`PEERS_BIN: ${peersFolder} does not exist`);
  const peers = readdirSync(peersFolder)
    .filter((name) => isProgram(join(peersFolder, name)))
    .map((name) => ({ name: name.replace(/-documents$/, ""), command: `exec "${join(peersFolder, name)}"` }));
  return [ours, ...peers];
}

function isProgram(path: string): boolean {
  const file = statSync(path);
  return file.isFile() && (file.mode & 0o111) !== 0;
}

/** Runs the scenarios of one candidate. One that fails does not keep the next from its turn. */
export async function runLoop(
  { name, command, restartInvocations }: Candidate,
  wanted: readonly ScenarioName[],
  options: Omit<SessionOptions, "command">,
): Promise<Report> {
  const session = new Session({ ...options, command, ...(restartInvocations !== undefined && { restartInvocations }) });
  const report: Report = { name, command, scenarios: {}, failures: {} };
  try {
    for (const scenario of wanted) {
      try {
        const result = await scenarios[scenario](session);
        Object.assign(report.scenarios, { [scenario]: result });
        if (!result.ok) report.failures[scenario] = result.missing ?? "failed";
        console.log(`${name} ${scenario}: ${result.ok ? `${result.seconds} s` : `NOT DONE: ${result.missing}`}`);
      } catch (error) {
        report.failures[scenario] = (error as Error).message;
        console.log(`${name} ${scenario}: FAILED: ${(error as Error).message}`);
      }
      const lastWords = session.lastErrors();
      if (report.failures[scenario] && lastWords.length > 0) console.log(lastWords.join("\n"));
    }
  } finally {
    await session.stop();
  }
  return report;
}
