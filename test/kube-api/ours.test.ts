/**
 * The test kit's API server answers what the real one answered. The recordings are in recorded/; `npm run test:cluster`
 * compares them with a real one.
 * @module
 */
import { beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, createApiServer } from "../../adapters/testing/index.ts";
import { groups } from "./cases/index.ts";
import { readRecordings } from "./recordings.ts";
import { runCase } from "./run-case.ts";
import { setUp } from "./set-up.ts";

let server: ApiServer;
let count = 0;

beforeAll(async () => {
  server = createApiServer({ tokens: { "admin-token": "admin" } });
  await setUp(server.transport);
});

for (const [group, cases] of Object.entries(groups)) {
  const recorded = readRecordings(group);
  describe(group, () => {
    it.each(cases.map((one) => [one.name, one] as const))("%s", async (name, one) => {
      expect(recorded).toHaveProperty([name]);
      const id = `ours${String(count++).padStart(4, "0")}`;
      expect(await runCase(server.transport, one, id)).toEqual(recorded[name]);
    });
  });
}

it("there are at least 150 cases, each with a name of its own, and no recording is left over", () => {
  const names = Object.values(groups).flatMap((cases) => cases.map(({ name }) => name));
  expect(names.length).toBeGreaterThanOrEqual(150);
  expect(new Set(names).size).toBe(names.length);
  const kept = Object.keys(groups).flatMap((group) => Object.keys(readRecordings(group)));
  expect(kept.toSorted()).toEqual(names.toSorted());
});
