import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Measured } from "./harness/session.ts";
import { Session, type SessionOptions } from "./harness/session.ts";
import { bulk } from "./scenarios/bulk.ts";
import { type Check, check } from "./scenarios/check.ts";
import { type Cold, cold } from "./scenarios/cold.ts";
import { type Failing, failing } from "./scenarios/failing.ts";
import { type Latency, latency } from "./scenarios/latency.ts";
import { type Restart, restart } from "./scenarios/restart.ts";
import type { SlowDisk } from "./slow-disk/slow-disk.ts";

/** In the order in which they run: each takes up where the one before left off. */
export const scenarios = { cold, latency, bulk, check, failing, restart } as const;
export type ScenarioName = keyof typeof scenarios;

/** What runs by default; `failing` takes half a minute, and is asked for or comes with slow disks. */
export const usual: readonly ScenarioName[] = ["cold", "latency", "bulk", "check", "restart"];
export const onSlowDisks: readonly ScenarioName[] = ["cold", "latency", "bulk", "failing"];

export type Results = {
  cold?: Cold;
  latency?: Latency;
  bulk?: Measured;
  check?: Check;
  failing?: Failing;
  restart?: Restart;
};
export type Report = { name: string; command: string; scenarios: Results; failures: Record<string, string> };

export type Candidate = {
  name: string;
  command: string;
  env?: Readonly<Record<string, string>>;
  /** What a restart with nothing changed may invoke at most (R7): a handful, for runs that went on while it stopped. */
  restartInvocations?: number;
  /** How old it has to be before its latency is measured, in milliseconds. */
  matureMs?: number;
};

/** In the first minute after a load a run starts after the commit of its lease, not beside it (S3). */
const MATURE_MS = 61_000;

export const runtimes = ["node", "workerd"] as const;
export type RuntimeName = (typeof runtimes)[number];

/** Our example on a runtime, and every program in the folder of the peers' binaries. */
export function candidates(peersFolder: string | undefined, runtime: RuntimeName = "node"): Candidate[] {
  const name = runtime === "node" ? "sluice" : `sluice on ${runtime}`;
  const ours = {
    ...{ name, command: `exec npm run -s example -- documents --runtime ${runtime}` },
    restartInvocations: 5,
  };
  return [ours, ...peers(peersFolder)];
}

/**
 * Our example on Node, once a disk, and the peers, which sync nothing and so run once. The delay is in our process alone: etcd
 * and the API server keep the machine's own disk, for us and for the peers.
 */
export function candidatesOnDisks(peersFolder: string | undefined, disks: readonly SlowDisk[]): Candidate[] {
  const script = join(import.meta.dirname, "slow-disk/documents-process.ts");
  const command = `exec "${process.execPath}" --conditions=sluice-source "${script}"`;
  const ours = disks.map(({ ms, env }) => ({ name: `sluice, ${ms} ms`, command, env, matureMs: MATURE_MS }));
  return [...ours, ...peers(peersFolder)];
}

function peers(folder: string | undefined): Candidate[] {
  if (!folder) return [];
  if (!existsSync(folder)) throw new Error(`PEERS_BIN: ${folder} does not exist`);
  return readdirSync(folder)
    .filter((name) => isProgram(join(folder, name)))
    .map((name) => ({ name: name.replace(/-documents$/, ""), command: `exec "${join(folder, name)}"` }));
}

function isProgram(path: string): boolean {
  const file = statSync(path);
  return file.isFile() && (file.mode & 0o111) !== 0;
}

/** Runs the scenarios of one candidate. One that fails does not keep the next from its turn. */
export async function runLoop(
  { name, command, env, restartInvocations, matureMs }: Candidate,
  wanted: readonly ScenarioName[],
  options: Omit<SessionOptions, "command">,
): Promise<Report> {
  const session = new Session({
    ...options,
    command,
    ...(env && { env }),
    ...(matureMs !== undefined && { matureMs }),
    ...(restartInvocations !== undefined && { restartInvocations }),
  });
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
