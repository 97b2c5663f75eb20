import { expect, test } from "vitest";
import type { ResourceReport } from "../../examples/lab/report.ts";
import { tableOf } from "../../examples/lab/table.ts";
import { wrap } from "../../examples/lab/wrap.ts";

const DOCS: ResourceReport = {
  ...{ name: "docs", was: "its ConfigMap is already right", site: "gone", configMap: "gone", page: "taken down" },
  ...{ runs: 6, changingRuns: 2, lastAnswer: { outcome: "gone" } },
};

test("the table has a line for each Site where they fit", () => {
  const lines = tableOf([DOCS, DOCS], 100);
  expect(lines).toHaveLength(3);
  expect(tableOf([DOCS, DOCS], lines[0]!.length)).toEqual(lines);
});

test("in a narrower terminal the cells of a Site stand below each other", () => {
  const lines = tableOf([DOCS, DOCS], 60);
  expect(lines.slice(0, 2)).toEqual(["SITE         docs", "AT FIRST     its ConfigMap is already right"]);
  expect(lines).toHaveLength(17);
});

test.each([
  ["no wider than the terminal", 26, 0, ["no wider than the terminal"]],
  ["  wider than the terminal", 12, 4, ["  wider than", "    the", "    terminal"]],
  ["a verylongwordthatstayswhole b", 10, 2, ["a", "  verylongwordthatstayswhole", "  b"]],
  ["\u001b[1mtwo words\u001b[22m", 9, 2, ["\u001b[1mtwo words\u001b[22m"]],
])("%j in %i columns", (line, columns, hang, lines) => expect(wrap(line, columns, hang)).toEqual(lines));
