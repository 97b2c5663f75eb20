import type { Report } from "./loop.ts";

type Row = { figure: string; of: (report: Report) => number | string | null | undefined };

/** One row a figure, in the order in which a reader asks for them. */
const rows: readonly Row[] = [
  { figure: "cold, seconds", of: ({ scenarios }) => scenarios.cold?.seconds },
  { figure: "cold, requests per object", of: ({ scenarios }) => scenarios.cold?.requests.perObject },
  { figure: "cold, controller CPU seconds", of: ({ scenarios }) => scenarios.cold?.cpuSeconds.controller },
  { figure: "RSS after cold, MiB", of: ({ scenarios }) => scenarios.cold?.rssMiB },
  { figure: "change to child p50, ms", of: ({ scenarios }) => scenarios.latency?.configMap.p50 },
  { figure: "change to child p99, ms", of: ({ scenarios }) => scenarios.latency?.configMap.p99 },
  { figure: "change to status p50, ms", of: ({ scenarios }) => scenarios.latency?.status.p50 },
  { figure: "change to status p99, ms", of: ({ scenarios }) => scenarios.latency?.status.p99 },
  { figure: "of that, the change's own event p50", of: ({ scenarios }) => scenarios.latency?.ownEvent.p50 },
  { figure: "requests per change", of: ({ scenarios }) => scenarios.latency?.requests.perObject },
  { figure: "bulk, seconds", of: ({ scenarios }) => scenarios.bulk?.seconds },
  { figure: "bulk, requests per change", of: ({ scenarios }) => scenarios.bulk?.requests.perObject },
  { figure: "check", of: ({ scenarios }) => scenarios.check && (scenarios.check.ok ? "passed" : "failed") },
  {
    figure: "200 keys fail: change to child of others p50, ms",
    of: ({ scenarios }) => scenarios.failing?.configMap.p50,
  },
  {
    figure: "200 keys fail: change to child of others p99, ms",
    of: ({ scenarios }) => scenarios.failing?.configMap.p99,
  },
  { figure: "200 keys fail: GET p50, ms", of: ({ scenarios }) => scenarios.failing?.gets?.p50 },
  { figure: "200 keys fail: GET p99, ms", of: ({ scenarios }) => scenarios.failing?.gets?.p99 },
  { figure: "the same at rest: GET p99, ms", of: ({ scenarios }) => scenarios.failing?.getsAtRest?.p99 },
  { figure: "200 keys fail: event loop late p99, ms", of: ({ scenarios }) => scenarios.failing?.loopDelay?.p99 },
  { figure: "200 keys fail: event loop late at most, ms", of: ({ scenarios }) => scenarios.failing?.loopDelay?.max },
  { figure: "restart, seconds to ready", of: ({ scenarios }) => scenarios.restart?.seconds },
  { figure: "restart, invocations", of: ({ scenarios }) => scenarios.restart?.invocations },
  { figure: "restart, writes", of: ({ scenarios }) => scenarios.restart?.requests.writes },
];

/** The figures of all commands side by side; rows that nobody has a figure for are left out. */
export function table(reports: readonly Report[]): string {
  const lines = [
    ["", ...reports.map(({ name }) => name)],
    ...rows
      .map(({ figure, of }) => ({ figure, cells: reports.map(of) }))
      .filter(({ cells }) => cells.some((cell) => cell !== undefined))
      .map(({ figure, cells }) => [figure, ...cells.map((cell) => (cell == null ? "-" : String(cell)))]),
  ];
  return grid(lines);
}

/** Lines of cells as text: the first column to the left, the others to the right. */
export function grid(lines: readonly (readonly string[])[]): string {
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  return lines.map((line) => line.map((cell, i) => pad(cell, i, widths[i] ?? 0)).join("  ")).join("\n");
}

function pad(cell: string, column: number, width: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}
