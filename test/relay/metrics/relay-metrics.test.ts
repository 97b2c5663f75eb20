import { beforeEach, describe, expect, it } from "vitest";
import { exposition } from "../../../infra/relay/metrics/exposition.ts";
import { gaugesOf, processFamilies } from "../../../infra/relay/metrics/gauges.ts";
import { readExposition } from "../support/exposition.ts";
import { objectOf } from "../support/objects.ts";
import { document, relayUnderTest } from "../support/relay-under-test.ts";

let under: ReturnType<typeof relayUnderTest>;
beforeEach(() => {
  under = relayUnderTest();
});

/** The values of a metric by its labels, as `documents.example.com expired`. */
function values(name: string): Record<string, number> {
  const { relay, metrics, clock } = under;
  const families = [...gaugesOf(relay.status(), clock.now()), ...metrics.families()];
  const found = readExposition(exposition(families)).filter((sample) => sample.name === `sluice_relay_${name}`);
  return Object.fromEntries(found.map(({ labels, value }) => [Object.values(labels).join(" ").trim(), value]));
}

const changed = (name: string, version: string) => ({ type: "MODIFIED", object: document(name, version, 2) });
const bookmark = (version: string) => ({ type: "BOOKMARK", object: { metadata: { resourceVersion: version } } });

describe("watches", () => {
  it("tell when anything last came, a bookmark too", async () => {
    const { clock } = under;
    const stream = await under.sync();
    await clock.advance(60_000);
    const before = values("watch_last_event_timestamp_seconds");
    expect(before["documents.example.com"]).toBe(clock.now() / 1_000 - 60);
    stream.send(bookmark("20"));
    await clock.settle();
    expect(values("watch_last_event_timestamp_seconds")).toEqual({
      "documents.example.com": clock.now() / 1_000,
      configmaps: before.configmaps,
    });
  });

  it("that were never listed tell no time, and are not ready", async () => {
    await under.declare();
    expect(values("watch_last_event_timestamp_seconds")).toEqual({ "documents.example.com": 0, configmaps: 0 });
    await under.list("documents", [document("a", "5")]);
    expect(values("watch_ready")).toEqual({ "documents.example.com": 1, configmaps: 0 });
    expect(values("watch_objects")).toEqual({ "documents.example.com": 1, configmaps: 0 });
    expect(values("ready")).toEqual({ "": 0 });
  });

  it("are ready no longer once something is wrong", async () => {
    const stream = await under.sync();
    expect(values("ready")).toEqual({ "": 1 });
    stream.end();
    await under.clock.settle();
    expect(values("watch_ready")).toEqual({ "documents.example.com": 0, configmaps: 1 });
  });

  it("count what comes by its type", async () => {
    const stream = await under.sync();
    stream.send(changed("a", "11"), changed("a", "12"), bookmark("13"));
    await under.clock.settle();
    expect(values("watch_events_total")).toEqual({
      "documents.example.com MODIFIED": 2,
      "documents.example.com BOOKMARK": 1,
    });
  });

  it("count lists by what made them necessary", async () => {
    const stream = await under.sync();
    expect(values("watch_relists_total")).toEqual({});
    stream.send({ type: "ERROR", object: { code: 410, message: "too old" } });
    await under.clock.settle();
    expect(values("watch_relists_total")).toEqual({ "documents.example.com expired": 1 });
  });

  it("R14 count a list of a server that went back in time", async () => {
    const { asked, clock } = under;
    await under.sync();
    await clock.advance(180_000);
    asked("documents").page([], { resourceVersion: "3" });
    await clock.settle();
    expect(values("watch_relists_total")).toEqual({ "documents.example.com restored": 1 });
  });

  it.each([
    ["closed", 2_000, "closed"],
    ["silent", 180_000, "silent"],
  ])("count what was resumed since it was %s", async (how, afterMs, cause) => {
    const { asked, clock } = under;
    const stream = await under.sync();
    await clock.advance(afterMs);
    if (how === "closed") stream.end();
    else asked("documents").page([], { resourceVersion: "10" });
    await clock.settle();
    expect(values("watch_reconnects_total")).toMatchObject({ [`documents.example.com ${cause}`]: 1 });
  });
});

describe("deliveries", () => {
  it("are counted by status and measured, their triggers by what became of them", async () => {
    const { clock, ingress } = under;
    const stream = await under.sync();
    stream.send(changed("a", "11"), changed("b", "12"));
    await clock.settle();
    ingress.last().refuse(503, "busy");
    await clock.advance(200);
    ingress.last().break();
    await clock.advance(400);
    await clock.advance(1_500);
    ingress.last().accept({ rejected: [{ index: 1, error: "name: too long" }] });
    await clock.settle();
    expect(values("deliveries_total")).toEqual({ "202": 2, "503": 1, error: 1 });
    expect(values("triggers_total")).toEqual({ accepted: 2, rejected: 1 });
    expect(values("delivery_duration_seconds_count")).toEqual({ "": 4 });
    expect(values("delivery_duration_seconds_sum")).toEqual({ "": 1.5 });
  });

  it("count a name that the wire does not take", async () => {
    const stream = await under.sync();
    stream.send({ type: "ADDED", object: objectOf({ name: "a b", resourceVersion: "11" }) });
    await under.clock.settle();
    expect(values("triggers_total")).toMatchObject({ unsendable: 1 });
  });

  it("that wait tell how many they are and since when, also while one is under way", async () => {
    const { clock, ingress } = under;
    const stream = await under.sync();
    expect(values("outbox_oldest_seconds")).toEqual({ "": 0 });
    stream.send(changed("a", "11"));
    await clock.advance(10_000);
    expect(values("outbox_oldest_seconds")).toEqual({ "": 10 });
    ingress.last().refuse(503, "busy");
    stream.send(changed("a", "12"), changed("b", "13"));
    await clock.settle();
    expect(values("outbox_keys")).toEqual({ "": 2 });
    expect(values("outbox_oldest_seconds")).toEqual({ "": 10 });
    await clock.advance(200);
    ingress.last().accept();
    await clock.settle();
    expect(values("outbox_keys")).toEqual({ "": 0 });
    expect(values("outbox_oldest_seconds")).toEqual({ "": 0 });
  });

  it("wakes are counted by what was answered", async () => {
    const { clock, ingress } = under;
    ingress.holdWakes = true;
    await clock.settle();
    ingress.wakes.at(-1)!.accept();
    await clock.settle();
    expect(values("wakes_total")).toEqual({ "202": 1 });
  });
});

it("a process tells what it is and uses, under the names that every exporter has", () => {
  const usage = { cpuSeconds: 1.5, residentBytes: 5_000, startedAtSeconds: 1_767_225_600 };
  const read = readExposition(exposition(processFamilies(usage, { version: "1.0.0", runtime: "deno 2.9.6" })));
  expect(Object.fromEntries(read.map(({ name, value }) => [name, value]))).toEqual({
    sluice_relay_build_info: 1,
    process_cpu_seconds_total: 1.5,
    process_resident_memory_bytes: 5_000,
    process_start_time_seconds: 1_767_225_600,
  });
  expect(read[0]!.labels).toEqual({ version: "1.0.0", runtime: "deno 2.9.6" });
});
