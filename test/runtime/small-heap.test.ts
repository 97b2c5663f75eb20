import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../repository/source-file.ts";

/** How many times as large the young generation is after some 200 MB, of which 5 live at any time. */
const script = `
import { getHeapSpaceStatistics } from "node:v8";
import { keepHeapSmall } from ${JSON.stringify(join(root, "adapters/runtime/node/small-heap.ts"))};
const size = () => getHeapSpaceStatistics().find((space) => space.space_name === "new_space").space_size;
const churn = (times) => {
  for (let i = 0, alive = []; i < times; i++) {
    if (alive.length > 50_000) alive = [];
    alive.push({ i, more: [i, i, i, i] });
  }
};
churn(100_000);
keepHeapSmall();
const before = size();
churn(2_000_000);
console.log(size() / before);
`;

function growth(...options: string[]): number {
  const args = [...options, "--input-type=module", "-e", script];
  const { stdout } = spawnSync(process.execPath, args, { encoding: "utf8", env: { ...process.env, NODE_OPTIONS: "" } });
  return Number(stdout);
}

test("the young generation grows no further", () => {
  expect(growth("--min-semi-space-size=1")).toBeGreaterThan(1);
  expect(growth()).toBeLessThanOrEqual(1);
});
