import { readFileSync } from "node:fs";
import { join } from "node:path";

const path = join(import.meta.dirname, "../../../infra/image/Dockerfile");

/** One instruction of the relay's Dockerfile, its lines joined. */
export type Instruction = { name: string; rest: string };

export function instructions(text: string = readFileSync(path, "utf8")): Instruction[] {
  return text
    .replaceAll(/^\s*#.*\n/gm, "")
    .replaceAll("\\\n", "")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const [, name = "", rest = ""] = /^(\S+)\s+(.*)$/.exec(line.trim()) ?? [];
      return { name, rest: rest.replaceAll(/\s+/g, " ") };
    });
}

/** What the image runs: the command, its flags, and the bundle's place. */
export function entrypoint(): string[] {
  const found = instructions().find(({ name }) => name === "ENTRYPOINT");
  if (!found) throw new Error("the Dockerfile has no ENTRYPOINT");
  return JSON.parse(found.rest) as string[];
}

/** The variables that the image sets. */
export function imageEnv(): Record<string, string> {
  const pairs = instructions().flatMap(({ name, rest }) => (name === "ENV" ? rest.split(" ") : []));
  return Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s).slice(0, 2) as [string, string]));
}

/** The image's command with a bundle at another place, and with more that it may read. */
export function denoCommand(options: { deno: string; bundle: string; read?: readonly string[] }): string[] {
  const flags = entrypoint().slice(1, -1);
  const { deno, bundle, read = [] } = options;
  return [deno, ...flags.map((flag) => (flag.startsWith("--allow-read=") ? [flag, ...read].join(",") : flag)), bundle];
}
