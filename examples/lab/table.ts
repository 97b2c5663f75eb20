import type { ResourceReport } from "./report.ts";

/** The table of all Sites, without colours; one below the other where it is wider than the terminal. */
export function tableOf(resources: readonly ResourceReport[], columns: number): string[] {
  const head = ["SITE", "AT FIRST", "NOW", "CONFIGMAP", "PAGE", "RUNS", "CHANGED", "LAST ANSWER"];
  const rows = resources.map(({ lastAnswer: { outcome, action }, ...each }) => [
    ...[each.name, each.was, each.site, each.configMap, each.page, String(each.runs), String(each.changingRuns)],
    `${outcome}${action ? ` ${JSON.stringify(action)}` : ""}`,
  ]);
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i]!.length)));
  const lines = [head, ...rows].map((row) => joined(row, widths));
  if (lines.every(({ length }) => length <= columns)) return lines;
  const width = Math.max(...head.map(({ length }) => length));
  return rows.flatMap((row, i) => [
    ...(i === 0 ? [] : [""]),
    ...row.map((cell, i) => joined([head[i]!, cell], [width, 0])),
  ]);
}

function joined(row: readonly string[], widths: readonly number[]): string {
  const cells = row.map((cell, i) => cell.padEnd(widths[i]!));
  return cells.join("  ").trimEnd();
}
