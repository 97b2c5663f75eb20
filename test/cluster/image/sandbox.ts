import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { guardFolder } from "../support/process-guard.ts";
import { type ProcessUnderTest, spawnProcess } from "../support/process-under-test.ts";
import { entrypoint, imageEnv } from "./dockerfile.ts";

/** The files of a Pod's service account. */
export type ServiceAccountFiles = { token: string; "ca.crt": string; namespace: string };

const script = join(import.meta.dirname, "sandbox.sh");

/**
 * Runs the image's own command on a bundle in a mount namespace, which stands in for a container engine: an unprivileged
 * user, no capabilities, a read-only root that holds nothing but what the image does.
 * @throws Error with the system's reason where this machine allows no mount namespace: it takes root.
 */
export function runInSandbox(options: {
  bundle: string;
  account: ServiceAccountFiles;
  /** What a Pod would add to the image's own. */
  env: Record<string, string>;
  /** The only hosts, with their ports, that it may reach or listen on. */
  hosts: readonly string[];
}): ProcessUnderTest {
  try {
    execFileSync("unshare", ["--mount", "true"], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    throw new Error(`this machine refuses a mount namespace, run the test as root: ${stderr || message}`);
  }
  const dir = mkdtempSync(join(tmpdir(), "sluice-sandbox-"));
  guardFolder(dir);
  const root = join(dir, "root");
  const files = join(dir, "account");
  for (const each of [root, files]) mkdirSync(each);
  for (const [name, text] of Object.entries(options.account)) writeFileSync(join(files, name), text);
  const env = Object.entries({ ...imageEnv(), ...options.env }).map(([name, value]) => `${name}=${value}`);
  const narrowed = entrypoint().map((flag) => (flag === "--allow-net" ? `${flag}=${options.hosts.join()}` : flag));
  const sandbox = spawnProcess({
    script,
    command: [
      ...["unshare", "--mount", "--propagation", "private", "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", ...env],
      ...["sh", "-eu", script, root, denoProgram(), options.bundle, files, ...narrowed],
    ],
  });
  void sandbox.exited.then(() => rmSync(dir, { recursive: true, force: true }));
  return sandbox;
}

/** The program of the npm package, without the script that starts it. */
export function denoProgram(): string {
  const { runInstall } = createRequire(import.meta.url)("deno/install_api.cjs") as { runInstall(): string };
  return runInstall();
}
