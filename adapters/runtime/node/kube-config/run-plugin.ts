import { execFile } from "node:child_process";
import { dirname, resolve } from "node:path";
import type { Environment } from "./credentials.ts";
import type { ExecConfig } from "./schema.ts";

/** A credential is a few kilobytes. */
const MAX_OUTPUT_BYTES = 1_048_576;

/** Most characters of stderr that an error shows, its end. */
const MAX_SHOWN = 500;

/** Why a plugin gave no credentials. Nothing secret is in the message. */
export class PluginFailure extends Error {
  override name = "PluginFailure";
}

/**
 * Runs a plugin once, without a terminal.
 * @param beside the kubeconfig: a command with a slash is relative to its folder, one without is looked for in PATH.
 * @returns what it printed on stdout.
 * @throws PluginFailure where it cannot be started, fails, or takes longer than `timeoutMs`.
 */
export function runPlugin(
  exec: ExecConfig,
  { env, beside, timeoutMs }: { env: Environment; beside: string; timeoutMs: number },
): Promise<string> {
  const { command, args, installHint } = exec;
  const file = command.includes("/") ? resolve(dirname(beside), command) : command;
  const options = { env, timeout: timeoutMs, killSignal: "SIGKILL", maxBuffer: MAX_OUTPUT_BYTES } as const;
  return new Promise((resolve, reject) => {
    const child = execFile(file, args ?? [], options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      const said = shown(stderr, exec);
      const why = `${command} ${reasonOf(error, timeoutMs)}${said === "" ? "" : `: ${said}`}`;
      const hint = error.code === "ENOENT" && installHint ? `. ${installHint.trim().slice(0, MAX_SHOWN)}` : "";
      reject(new PluginFailure(why + hint));
    });
    child.stdin?.end();
  });
}

function reasonOf(error: Error & { code?: unknown; killed?: boolean; signal?: unknown }, timeoutMs: number): string {
  if (error.code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return `printed more than ${MAX_OUTPUT_BYTES} bytes`;
  if (error.code === "ENOENT") return "was not found";
  if (error.killed) return `took longer than ${timeoutMs} ms`;
  if (typeof error.code === "number") return `ended with exit code ${error.code}`;
  return typeof error.code === "string"
    ? `could not be started (${error.code})`
    : `was ended by ${String(error.signal)}`;
}

/** What stands after these words is a secret more often than not. */
const NAMED_SECRET = /((?:token|password|secret|authorization|bearer|key)["']?\s*[=: ]\s*["']?)[^\s"',;]+/gi;

/** As long as this and without a break, a word is a token, a key or a signature. */
const LONG_WORD = /[\w+/=~-]{32,}|[A-Za-z\d+=_~-]{20,}/g;

/** The end of what a plugin complained about, without what looks like a secret and without the values of its variables. */
function shown(stderr: string, { env }: ExecConfig): string {
  let text = stderr;
  for (const { value } of env ?? []) if (value.length >= 4) text = text.replaceAll(value, "[hidden]");
  return text
    .replace(NAMED_SECRET, "$1[hidden]")
    .replace(LONG_WORD, "[hidden]")
    .replace(/\s+/g, " ")
    .trim()
    .slice(-MAX_SHOWN);
}
