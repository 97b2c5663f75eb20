import { afterAll, beforeAll, expect, test } from "vitest";
import { ManyClusters, names, triggerAll } from "./clusters/many-clusters.ts";

const worker = new ManyClusters();
beforeAll(() => worker.open(), 60_000);
afterAll(() => worker.close());

const LIMIT = { timeout: 30_000, interval: 20 };
const startedIn = (cluster: string) => worker.started.filter((run) => run.startsWith(`${cluster}/`));

/** A live change of a cluster runs, whatever the others do. */
async function runsAtOnce(cluster: string, name: string): Promise<void> {
  await worker.trigger(cluster, [name]);
  await expect.poll(() => worker.started, LIMIT).toContain(`${cluster}/${name}`);
}

test("S17, S20, S21 a cluster that hangs, one of 20,000 keys and one that leaves delay no other, after a rollback neither", async () => {
  worker.behaviours.set("hanging", "hangs").set("large", "says gone");
  await worker.restart("quiet", "leaving", "hanging", "large");
  await worker.trigger("leaving", names("dead", 60));
  await expect.poll(() => startedIn("leaving").length, LIMIT).toBeGreaterThanOrEqual(60);
  await worker.trigger("hanging", names("stuck", 200));
  await triggerAll(worker, "large", names("one-of-many", 20_000));
  await runsAtOnce("quiet", "before");

  await worker.restart("quiet", "hanging", "large");
  const left = startedIn("leaving").length;
  await runsAtOnce("quiet", "without");
  await expect(worker.trigger("leaving", ["late"])).rejects.toThrow("403");
  await worker.trigger("hanging", ["another"]);
  await expect.poll(() => startedIn("large").length, LIMIT).toBeGreaterThan(1_000);
  await runsAtOnce("quiet", "still");
  expect(startedIn("leaving")).toHaveLength(left);

  await worker.restart("quiet", "leaving", "hanging", "large");
  await runsAtOnce("quiet", "after");
  await worker.wake("leaving"); // as its relay does at its start
  await expect.poll(() => startedIn("leaving").length, LIMIT).toBeGreaterThanOrEqual(left + 60);
}, 180_000);
