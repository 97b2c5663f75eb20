import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { Report } from "../../examples/lab/report.ts";
import { guardProcessGroup, releaseProcessGroup } from "../cluster/support/process-guard.ts";

export type { Report };

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The lab as a process. */
export type LabProcess = {
  pid: number;
  ended: Promise<LabRun>;
  signal(name: NodeJS.Signals): void;
  stopReading(): void;
};

export type LabRun = { code: number | null; stdout: string; stderr: string };

/**
 * Starts the lab of a tree, its output piped.
 * @param args of the lab.
 * @param env on top of this process's own, from which what decides about colours is left out.
 */
export function startLab(
  args: readonly string[],
  { root = ROOT, env = {} }: { root?: string; env?: Record<string, string> } = {},
): LabProcess {
  const { FORCE_COLOR, NO_COLOR, ...own } = process.env;
  const child = spawn(process.execPath, ["--conditions=sluice-source", "examples/lab/main.ts", ...args], {
    cwd: root,
    env: { ...own, ...env },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const pid = child.pid!;
  guardProcessGroup(pid);
  const code = new Promise<number | null>((resolve) => child.once("close", resolve));
  const ended = Promise.all([code, text(child.stdout).catch(() => ""), text(child.stderr)]).then(
    ([code, stdout, stderr]) => {
      releaseProcessGroup(pid);
      return { code, stdout, stderr };
    },
  );
  return {
    pid,
    ended,
    signal: (name) => void process.kill(-pid, name),
    stopReading: () => void child.stdout.destroy(),
  };
}

export function runLab(...options: Parameters<typeof startLab>): Promise<LabRun> {
  return startLab(...options).ended;
}

/** What `--json` printed. @throws Error with the lab's own words where it printed no report. */
export function reportIn({ code, stdout, stderr }: LabRun): Report {
  try {
    return JSON.parse(stdout) as Report;
  } catch {
    throw new Error(`the lab ended with ${code} and without a report: ${stdout}${stderr}`);
  }
}

/** The ids of the claims that a report calls false. */
export function falseClaims({ claims }: Report): string[] {
  return claims.filter(({ holds }) => !holds).map(({ id }) => id);
}
