import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { discoverKinds, releaseOf, renderTable, tablePath } from "./generate-kinds.ts";
import { sharedCluster } from "./support/cluster.ts";

test("the table of built-in kinds is what the API server serves", async () => {
  const { api } = sharedCluster();
  const served = renderTable(await discoverKinds(api), await releaseOf(api));
  expect(readFileSync(tablePath, "utf8")).toBe(served);
});
