import { describe, expect, it } from "vitest";
import { configMaps, manifestOf, relationOf } from "../support/objects.ts";
import { replicas } from "./replicas.ts";

/** A lease of 15 s, then the standby's next look. */
const LEASE_AND_A_LOOK_MS = 19_000;

describe("R10 a standby", () => {
  it("holds its watches, and delivers, saves and wakes nothing", async () => {
    const { two, change, create, pass, take } = replicas();
    const { a, b } = await two("x");
    await change("x", "2");
    await create("y");
    await pass(600_000);
    expect(take()).toEqual(["x by a", "y by a"]);
    expect(b.sent).toEqual([]);
    expect(b.relay.status()).toMatchObject({
      ready: true,
      watches: [{ objects: 2, synced: true }],
      leader: { leads: false, holder: "a" },
    });
    expect(a.relay.status().leader).toEqual({ leads: true, holder: "a" });
  });

  it("is ready though its leader is, and not where the Lease is out of reach", async () => {
    const { two, pass, server } = replicas();
    const { b } = await two();
    expect(b.relay.status().reasons).toEqual([]);
    server.intercept(({ plural }) => (plural === "leases" ? { tooManyRequests: { retryAfterSeconds: 1 } } : undefined));
    await pass(5_000);
    expect(b.relay.status().reasons).toEqual([expect.stringMatching(/^lease: .*too many requests/i)]);
  });

  it("holds one trigger a key, and lets go of it when the leader's checkpoint shows that it was delivered", async () => {
    const { two, change, pass } = replicas();
    const { b } = await two("x", "y");
    await change("x", "2");
    await change("x", "3");
    await change("y", "2");
    await pass(1_000);
    expect(b.relay.status().outbox.pending).toBe(2);
    await pass(620_000);
    expect(b.relay.status().outbox.pending).toBe(0);
  });

  it("keeps what the leader could not deliver yet", async () => {
    const { two, change, pass, functions } = replicas();
    const { b } = await two("x");
    functions.refuses = true;
    await change("x", "2");
    await pass(620_000);
    expect(b.relay.status().outbox.pending).toBe(1);
  });
});

describe("R10 a new leader", () => {
  it("delivers what changed since the last checkpoint, while nobody led too, and nothing else", async () => {
    const { two, change, create, delete: remove, pass, take } = replicas();
    const { a, b } = await two("before", "x", "y", "still");
    await change("before", "2");
    await pass(620_000);
    expect(take()).toEqual(["before by a"]);
    await change("x", "2");
    await pass(1_000);
    a.kill();
    await create("z");
    await pass(5_000);
    await remove("y");
    take();
    await pass(LEASE_AND_A_LOOK_MS);
    expect(take()).toEqual(["x by b", "z by b", "y by b"]);
    expect(b.relay.status().leader).toEqual({ leads: true, holder: "b" });
  });

  it("F1 delivers what its manifest selects no longer, where another controller keeps the watch", async () => {
    const all = relationOf({ watch: { resource: configMaps } });
    const labelled = relationOf({ watch: { resource: configMaps, matchLabels: { team: "x" } } });
    const { create, start, pass, functions, delivered } = replicas({
      manifest: manifestOf({ docs: [all], more: [all] }),
    });
    await create("left");
    const a = start("a");
    await pass(12_000);
    functions.declare = manifestOf({ docs: [labelled], more: [all] });
    start("b");
    await pass(12_000);
    delivered.splice(0);
    a.kill();
    await pass(LEASE_AND_A_LOOK_MS);
    expect(delivered.map(({ controller, name, by }) => `${controller}/${name} by ${by}`)).toEqual(["docs/left by b"]);
  });

  it("R12 wakes the scheduler at once", async () => {
    const { two, pass, functions } = replicas();
    const { a } = await two("x");
    functions.wakes.splice(0);
    a.kill();
    await pass(LEASE_AND_A_LOOK_MS);
    expect(functions.wakes).toEqual(["b"]);
  });

  it("R7 with nothing changed delivers nothing", async () => {
    const { two, pass, take } = replicas();
    const { a } = await two("x", "y");
    await pass(620_000);
    a.kill();
    await pass(60_000);
    expect(take()).toEqual([]);
  });

  it("delivers what the one before had saved as pending", async () => {
    const { two, change, pass, take, functions } = replicas();
    const { a } = await two("x");
    functions.refuses = true;
    await change("x", "2");
    await pass(620_000);
    a.kill();
    functions.refuses = false;
    await pass(LEASE_AND_A_LOOK_MS);
    expect(take()).toEqual(["x by b"]);
  });

  it("compares with the checkpoint where its own view begins after it", async () => {
    const { create, change, delete: remove, start, pass, take, functions } = replicas();
    for (const name of ["same", "changed", "gone"]) await create(name);
    const a = start("a");
    await pass(12_000);
    functions.refuses = true; // what a knows from here on, it neither delivers nor tells
    functions.keepsNothing = true; // so b lists, and sees nothing of what changed before
    await change("changed", "2");
    await remove("gone");
    await create("new");
    await pass(1_000);
    take();
    const b = start("b");
    await pass(20_000);
    expect(b.relay.status()).toMatchObject({ watches: [{ synced: true }], outbox: { pending: 0 } });
    a.kill();
    functions.refuses = functions.keepsNothing = false;
    await pass(LEASE_AND_A_LOOK_MS);
    expect(b.relay.status().leader.leads).toBe(true);
    expect(take().sort()).toEqual(["changed by b", "gone by b", "new by b"]);
  });

  it("R7 without a checkpoint looks at everything again, in the resync lane", async () => {
    const { two, pass, delivered } = replicas({ kv: false });
    const { a } = await two("x", "y");
    a.kill();
    await pass(60_000);
    expect(delivered).toMatchObject([
      { name: "x", by: "b", lane: "resync" },
      { name: "y", by: "b", lane: "resync" },
    ]);
  });

  it("S14 looks at everything again where the scheduler's store is another one than the checkpoint's", async () => {
    const { two, pass, take, functions } = replicas();
    const { a } = await two("x", "y");
    await pass(620_000);
    a.kill();
    functions.epoch = "e2";
    await pass(60_000);
    expect(take()).toEqual(["x by b", "y by b"]);
  });
});

describe("R10 a leader that loses the lead", () => {
  it("stops delivering, saving and waking, and stands by", async () => {
    const { two, pass, take, change } = replicas();
    const { a, b } = await two("x", "y");
    a.pause();
    await pass(LEASE_AND_A_LOOK_MS);
    await change("x", "2");
    await pass(1_000);
    expect(take()).toEqual(["x by b"]);
    a.sent.splice(0);
    a.goOn();
    await change("y", "2");
    await pass(600_000);
    expect(take()).toEqual(["y by b"]);
    expect(a.sent).toEqual([]);
    expect(a.relay.status()).toMatchObject({ ready: true, leader: { leads: false, holder: "b" } });
    expect(b.relay.status().leader.leads).toBe(true);
  });

  it("sends nothing more than what was in flight, even where it goes on in the middle of work", async () => {
    const { two, pass, change, functions } = replicas();
    const { a } = await two("x", "y");
    functions.refuses = true;
    await change("x", "2");
    await pass(100); // it is in its backoff, and about to try again
    a.pause();
    await pass(LEASE_AND_A_LOOK_MS);
    functions.refuses = false;
    a.sent.splice(0);
    await change("y", "2");
    a.goOn();
    await pass(60_000);
    expect(a.sent).toEqual([]);
  });

  it("leads again after the other one, and delivers what that did not", async () => {
    const { two, pass, take, change } = replicas();
    const { a, b } = await two("x", "y");
    a.pause();
    await pass(LEASE_AND_A_LOOK_MS);
    a.goOn();
    await change("x", "2");
    await pass(620_000);
    take();
    b.kill();
    await change("y", "2");
    await pass(LEASE_AND_A_LOOK_MS);
    expect(take()).toEqual(["y by a"]);
    expect(a.relay.status().leader.leads).toBe(true);
  });
});

describe("a relay that is stopped", () => {
  it("delivers what is pending, saves, then gives the Lease up, in this order; the other leads at its next look", async () => {
    const { two, pass, take, create, lease, server } = replicas();
    const { a, b } = await two("x");
    await create("y");
    const leaseWrites: number[] = [];
    server.intercept(({ verb, plural }) => {
      if (verb === "update" && plural === "leases") leaseWrites.push(a.sent.length);
      return undefined;
    });
    a.sent.splice(0);
    const stopped = a.relay.stop();
    await pass(100);
    await stopped;
    expect([...new Set(a.sent)]).toEqual(["POST /triggers", "PUT /checkpoint"]);
    expect(leaseWrites.at(-1)).toBe(a.sent.length);
    expect(await lease()).not.toHaveProperty("spec.holderIdentity", "a");
    await pass(2_600);
    expect(b.relay.status().leader).toEqual({ leads: true, holder: "b" });
    expect(take()).toEqual(["y by a"]);
  });

  it("delivers and saves nothing as a standby, and leaves the Lease alone", async () => {
    const { two, pass, change, lease } = replicas();
    const { a, b } = await two("x");
    a.pause();
    await change("x", "2");
    await pass(1_000);
    const stopped = b.relay.stop();
    await pass(100);
    await stopped;
    expect(b.sent).toEqual([]);
    expect(await lease()).toHaveProperty("spec.holderIdentity", "a");
  });
});
