import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exposition, type Family } from "../../../infra/relay/metrics/exposition.ts";
import { relayMetrics } from "../../../infra/relay/metrics/metric-table.ts";
import { BUCKETS, createMetrics, MAX_SERIES } from "../../../infra/relay/metrics/metrics.ts";
import { readExposition } from "../support/exposition.ts";

const gauge = (samples: Family["samples"]): Family => ({
  name: "a_seconds",
  type: "gauge",
  help: "How long.",
  samples,
});

describe("the text format", () => {
  it("is the one that Prometheus reads", () => {
    const samples = [{ value: 0.5 }, { labels: { a: "x", b: "" }, value: 2 }];
    expect(exposition([gauge(samples)])).toBe(
      '# HELP a_seconds How long.\n# TYPE a_seconds gauge\na_seconds 0.5\na_seconds{a="x",b=""} 2\n',
    );
  });

  it("gives back any label and any number", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('"', "\\", "\n", "n", "é", "}", ",") }),
        fc.double({ noNaN: true, min: 0 }),
        (label, value) => {
          const labels = { a: label };
          expect(readExposition(exposition([gauge([{ labels, value }])]))).toEqual([
            { name: "a_seconds", labels, value },
          ]);
        },
      ),
    );
  });

  it("keeps a help of two lines in one", () => {
    const family = { ...gauge([]), help: "a\\b\nc" };
    expect(exposition([family]).split("\n")[0]).toBe("# HELP a_seconds a\\\\b\\nc");
  });
});

describe("what is counted and measured", () => {
  const read = (metrics: ReturnType<typeof createMetrics>) => readExposition(exposition(metrics.families()));

  it("adds up for each set of labels", () => {
    const metrics = createMetrics();
    metrics.count("wakes", { code: "202" });
    metrics.count("wakes", { code: "202" }, 2);
    metrics.count("wakes", { code: "error" });
    expect(read(metrics)).toEqual([
      { name: "sluice_relay_wakes_total", labels: { code: "202" }, value: 3 },
      { name: "sluice_relay_wakes_total", labels: { code: "error" }, value: 1 },
    ]);
  });

  it("tells labels apart that hold what separates them", () => {
    const metrics = createMetrics();
    metrics.count("gatewayRequests", { controller: 'a",verb="get', verb: "", code: "200" });
    metrics.count("gatewayRequests", { controller: "a", verb: "get", code: "200" });
    expect(read(metrics).map(({ value }) => value)).toEqual([1, 1]);
  });

  it("puts durations into buckets of seconds, each with those below it", () => {
    const metrics = createMetrics();
    for (const ms of [1, 5, 6, 400, 60_000]) metrics.took("deliverySeconds", {}, ms);
    const found = read(metrics);
    const buckets = found.filter(({ name }) => name.endsWith("_bucket")).map(({ labels, value }) => [labels.le, value]);
    expect(buckets).toHaveLength(BUCKETS.length + 1);
    expect(Object.fromEntries(buckets)).toMatchObject({
      "0.005": 2,
      "0.01": 3,
      "0.25": 3,
      "0.5": 4,
      "30": 4,
      "+Inf": 5,
    });
    expect(found.find(({ name }) => name.endsWith("_sum"))?.value).toBeCloseTo(60.412);
  });

  it("is bounded, however many labels there are", () => {
    const metrics = createMetrics();
    for (let i = 0; i < 2 * MAX_SERIES; i++) metrics.count("wakes", { code: String(i) });
    const found = read(metrics);
    expect(found).toHaveLength(MAX_SERIES + 1);
    expect(found.at(-1)).toMatchObject({ labels: { code: "other" }, value: MAX_SERIES });
  });

  it("has names of its own, with no label that could be a key or the name of an object", () => {
    const rows = Object.values(relayMetrics);
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
    for (const { name } of rows) expect(name).toMatch(/^sluice_relay_/);
    const labels = new Set(rows.flatMap((row) => [...row.labels]));
    expect([...labels].sort()).toEqual(["cause", "code", "controller", "resource", "result", "type", "verb"]);
  });
});
