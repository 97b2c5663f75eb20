import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { heapUsed } from "./clusters/inspector.ts";
import { ManyClusters, names, triggerAll } from "./clusters/many-clusters.ts";

const MOST_KEYS = 200_000;
const MEBIBYTE = 1024 * 1024;

const worker = new ManyClusters();
beforeAll(() => worker.open(), 60_000);
afterAll(() => worker.close());

/** As long as a name with its hash often is. */
const PREFIX = "a-deployment-of-some-team-7d9f8b6c5d";

test("S21 an object holds 200,000 keys in 100 MB of heap, names the next one, and goes on after a reload", async () => {
  worker.behaviours.set("large", "hangs"); // so that the keys wait
  await worker.restart("large");
  await triggerAll(worker, "large", names(PREFIX, MOST_KEYS));
  const refused = { accepted: 0, rejected: [{ index: 0, error: expect.stringMatching(/^shard-full: /) }] };
  expect(await worker.trigger("large", ["one-too-many"])).toMatchObject(refused);
  expect(await worker.trigger("large", [`${PREFIX}-199999`])).toMatchObject({ accepted: 1, rejected: [] });
  const filled = await heapUsed(worker.inspectorUrl);

  await worker.restart("large");
  expect(await worker.trigger("large", ["one-too-many"])).toMatchObject(refused);
  const loaded = await heapUsed(worker.inspectorUrl);
  console.log(`heap with ${MOST_KEYS} keys: ${filled / MEBIBYTE} MiB filled, ${loaded / MEBIBYTE} MiB loaded`);
  expect(filled).toBeLessThan(100 * MEBIBYTE);
  expect(loaded).toBeLessThan(100 * MEBIBYTE);

  worker.behaviours.set("large", "says gone");
  await worker.restart("large");
  await worker.wake("large");
  await expect
    .poll(async () => (await worker.trigger("large", ["one-too-many"])).rejected, { timeout: 120_000, interval: 500 })
    .toEqual([]); // once a key has left
  await worker.kill();

  const objects = join(worker.folder, "objects", "sluice-scheduler");
  const file = readdirSync(objects).find((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite")!;
  const script = join(import.meta.dirname, "clusters", "load-rows.ts");
  const args = ["--max-old-space-size=100", "--conditions=sluice-source", script, join(objects, file)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(Number(stdout)).toBeGreaterThan(MOST_KEYS / 2);
}, 300_000);
