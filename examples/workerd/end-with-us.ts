import { type ChildProcess, spawn } from "node:child_process";

/** Its input ends with the process that has its other end, however that ends: `kill -9` included. */
const SCRIPT = 'read -r _; kill -9 "-$1" || kill -9 "$1"';

/**
 * Sees to it that a child does not outlive us: a worker left behind would hold the state that the next one opens. A shell
 * waits beside it, in a session of its own, so that what a terminal sends to our group does not reach it. Of a child that
 * leads a process group, all of that ends.
 */
export function endWithUs(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const args = ["-c", SCRIPT, "sh", String(child.pid)];
  const guard = spawn("sh", args, { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  guard.on("error", () => {});
  guard.unref();
  // Neither the guard nor its pipe may keep us from ending.
  (guard.stdin as unknown as { unref(): void }).unref();
  child.once("close", () => guard.kill("SIGKILL"));
}
