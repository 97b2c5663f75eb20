import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

const ticksPerSecond = Number(execFileSync("getconf", ["CLK_TCK"]).toString());
const pageKiB = Number(execFileSync("getconf", ["PAGESIZE"]).toString()) / 1024;

/** What /proc tells of a process. */
export type ProcessRow = {
  pid: number;
  /** Set apart processes that got the same id one after the other. */
  startedAt: string;
  command: string;
  zombie: boolean;
  group: number;
  session: number;
  cpuSeconds: number;
  rssKiB: number;
};

/** Undefined for a process that is gone. */
export function readProcess(pid: number | string): ProcessRow | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return undefined;
  }
  const end = text.lastIndexOf(")");
  const fields = text.slice(end + 2).split(" ");
  return {
    pid: Number(pid),
    startedAt: fields[19] ?? "",
    command: text.slice(text.indexOf("(") + 1, end),
    zombie: fields[0] === "Z",
    group: Number(fields[2]),
    session: Number(fields[3]),
    cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
    rssKiB: Number(fields[21]) * pageKiB,
  };
}

/** Every process of a session or group, dead ones that nobody has fetched included. */
export function processesOf(leader: number): ProcessRow[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(readProcess)
    .filter((row) => row !== undefined)
    .filter((row) => row.group === leader || row.session === leader);
}
