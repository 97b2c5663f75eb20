import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const source = join(import.meta.dirname, "slow-fsync.c");
const defaultCache = resolve(import.meta.dirname, "../../../.cache/slow-disk");

/**
 * Finds or builds the library that delays `fsync` and `fdatasync`; a changed source is built anew.
 * @returns its path.
 * @throws Error without a C compiler (`cc`, or what CC names), or where this is not Linux.
 */
export function buildSlowDisk({ cache = defaultCache, compiler = process.env.CC ?? "cc" } = {}): string {
  if (process.platform !== "linux") throw new Error("--fsync: needs LD_PRELOAD of Linux");
  const digest = createHash("sha256").update(readFileSync(source)).digest("hex").slice(0, 12);
  const library = join(cache, `slow-fsync-${digest}.so`);
  if (existsSync(library)) return library;
  mkdirSync(cache, { recursive: true });
  const unfinished = `${library}.${process.pid}`;
  try {
    execFileSync(compiler, ["-shared", "-fPIC", "-O2", "-o", unfinished, source, "-ldl"], {
      stdio: ["ignore", "inherit", "inherit"],
    });
    renameSync(unfinished, library);
  } catch (error) {
    rmSync(unfinished, { force: true });
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new Error(`--fsync: there is no C compiler ${compiler}; install one, or name it in CC`);
  }
  return library;
}

/** A disk whose syncs take so many milliseconds more, as the environment of a process that shall have it. */
export type SlowDisk = { ms: number; env: Readonly<Record<string, string>> };

/** What a process gets in its environment so that each of its syncs takes so many milliseconds more. */
export function slowDisk(library: string, ms: number): Record<string, string> {
  return { LD_PRELOAD: library, SLOW_FSYNC_US: String(Math.round(ms * 1_000)) };
}

/**
 * How long a commit of `node:sqlite` takes in a process with this environment, in milliseconds. Node has SQLite within it, so
 * this shows that its syncs are those of libc.
 */
export async function commitMs(env: Record<string, string> = {}): Promise<number> {
  const script = join(import.meta.dirname, "commit.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [script], { env: { ...process.env, ...env } });
  return Number(stdout);
}

/**
 * The environments of disks that slow, one a delay, each shown to slow commits down.
 * @throws Error where a commit does not take as long as its sync.
 */
export async function slowDisks(delaysMs: readonly number[]): Promise<SlowDisk[]> {
  const library = buildSlowDisk();
  console.log(`a commit of node:sqlite takes ${await commitMs()} ms`);
  const disks: SlowDisk[] = [];
  for (const ms of delaysMs) {
    const env = slowDisk(library, ms);
    const took = await commitMs(env);
    console.log(`a commit of node:sqlite takes ${took} ms with ${ms} ms more a sync`);
    if (took < ms) throw new Error(`--fsync: SQLite's syncs do not go through ${library}`);
    disks.push({ ms, env });
  }
  return disks;
}
