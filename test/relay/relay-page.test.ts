import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gaugesOf, processFamilies } from "../../infra/relay/metrics/gauges.ts";
import { type MetricRow, relayMetrics } from "../../infra/relay/metrics/metric-table.ts";
import type { Option } from "../../infra/relay/option.ts";
import { relayOptions } from "../../infra/relay/option-table.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/relay.md"), "utf8");

/** The rows of the table under a heading, without the two that begin it. */
function tableUnder(heading: string): string[] {
  const [, section = ""] = page.split(`\n${heading}\n`);
  const rows = section
    .split(/\n#/)[0]!
    .split("\n")
    .filter((line) => line.startsWith("|"));
  return rows.slice(2);
}

const code = (text: string) => (text === "" ? "" : `\`${text}\``);

describe("docs/relay.md", () => {
  it("has each option, as the command line and the environment take it", () => {
    const rows: Option[] = Object.values(relayOptions);
    expect(tableUnder("## Options")).toEqual(
      rows.map(
        ({ flag = "", variable, default: value = "", help }) =>
          `| ${code(flag)} | ${code(variable)} | ${code(value)} | ${help} |`,
      ),
    );
  });

  it("has each metric, with its labels", () => {
    const watch = { resource: "a", state: "Watching", synced: true, objects: 1, lastEventAgeMs: 1 } as never;
    const status = {
      ready: true,
      reasons: [],
      checks: [],
      watches: [watch],
      outbox: { pending: 0, dropped: 0 },
      leader: { leads: true },
    };
    const families = [
      ...gaugesOf(status, 0),
      ...processFamilies(
        { cpuSeconds: 0, residentBytes: 0, startedAtSeconds: 0 },
        { version: "0.1.0", runtime: "node 24.0.0" },
      ),
    ].map(({ samples, ...rest }) => ({ ...rest, labels: Object.keys(samples[0]?.labels ?? {}) }));
    const rows: readonly MetricRow[] = Object.values(relayMetrics);
    expect(tableUnder("## Metrics")).toEqual(
      [...families, ...rows].map(
        ({ name, type, labels, help }) => `| ${code(name)} | ${type} | ${labels.map(code).join(", ")} | ${help} |`,
      ),
    );
  });
});
