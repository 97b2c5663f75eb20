import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from "node:child_process";

/**
 * Starts a program in a process group of its own. What is sent to ours, by a terminal, npm or a supervisor, does not reach it:
 * it ends when we say so, after whoever still needs it. GNU's `timeout 0` makes such a group within our session, where whoever
 * looks after us finds it; elsewhere it is a session of its own.
 */
export function spawnApart(file: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  return hasGnuTimeout()
    ? spawn("timeout", ["0", file, ...args], options)
    : spawn(file, args, { ...options, detached: true });
}

/** Signals its group, which may not be there yet, and may outlive what leads it. */
export function signalApart(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    child.kill(signal);
  }
}

function hasGnuTimeout(): boolean {
  try {
    return execFileSync("timeout", ["--version"], { stdio: ["ignore", "pipe", "ignore"] }).includes("GNU");
  } catch {
    return false;
  }
}
