import { describe, expect, it } from "vitest";
import { candidatesOnDisks } from "./loop.ts";
import { millisecondsList, scenarioList } from "./option-values.ts";
import { slowDisk } from "./slow-disk/slow-disk.ts";

describe("the delays of disks", () => {
  it("are milliseconds, whole or not", () => {
    expect(millisecondsList("0.2,2,10")).toEqual([0.2, 2, 10]);
  });

  it.each(["", "0", "-1", "1e3", "2ms", "2,", "1001", "0.001"])("%j is refused", (text) => {
    expect(() => millisecondsList(text)).toThrow("It must be milliseconds, from 0.01 to 1000.");
  });

  it("reach the library in microseconds", () => {
    expect(slowDisk("slow.so", 0.2)).toEqual({ LD_PRELOAD: "slow.so", SLOW_FSYNC_US: "200" });
  });

  it("each make a column of ours", () => {
    const disks = [0.2, 10].map((ms) => ({ ms, env: slowDisk("slow.so", ms) }));
    const columns = candidatesOnDisks(undefined, disks).map(({ name, env }) => [name, env?.SLOW_FSYNC_US]);
    expect(columns).toEqual([
      ["sluice, 0.2 ms", "200"],
      ["sluice, 10 ms", "10000"],
    ]);
  });
});

it("scenarios run in their own order, and an unknown one is refused", () => {
  expect(scenarioList("failing,cold")).toEqual(["cold", "failing"]);
  expect(() => scenarioList("cold,warm")).toThrow("warm is none of cold, latency, bulk, check, failing, restart.");
});
