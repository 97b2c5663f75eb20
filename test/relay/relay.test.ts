import { describe, expect, it } from "vitest";
import { documents, manifestOf, objectOf, relationOf } from "./support/objects.ts";
import { document, manifest, relayUnderTest } from "./support/relay-under-test.ts";

const child = (name: string, version: string, owner: string) =>
  objectOf({
    name,
    resourceVersion: version,
    ownerReferences: [{ apiVersion: "example.com/v1", kind: "Document", name: owner, uid: "u", controller: true }],
  });

describe("the manifest", () => {
  it("is asked for with a signature, until it is there and makes sense", async () => {
    const { api, clock, ingress, relay } = relayUnderTest();
    const byLabel = relationOf({ watch: { resource: documents }, mapping: { by: "label", label: "x" } });
    const answers = [
      () => ingress.last().break(),
      () => ingress.last().refuse(401, "bad-signature"),
      () => ingress.last().answer(Response.json({ apiVersion: "sluice.dev/v1", revision: "r1" })),
      () => ingress.last().answer(Response.json(manifestOf({ broken: [byLabel] }))),
    ];
    const reasons: string[] = [];
    for (const [i, answer] of answers.entries()) {
      await clock.settle();
      answer();
      await clock.settle();
      reasons.push(...relay.status().reasons);
      expect(relay.status().ready).toBe(false);
      await clock.advance(200 * 2 ** i);
    }
    expect(reasons).toEqual([
      "manifest: fetch failed",
      "manifest: GET /manifest: 401 bad-signature",
      expect.stringContaining("manifest: GET /manifest: controllers: "),
      'manifest: controller broken: no relation is mapped by "self"',
    ]);
    ingress.last().answer(Response.json(manifest));
    await clock.settle();
    expect(relay.status().revision).toBe("r1");
    expect(api.asked).toHaveLength(2);
  });
});

describe("the start", () => {
  it("delivers once each list was read: one trigger a key, in the resync lane", async () => {
    const { declare, ingress, list, synced } = relayUnderTest();
    await declare();
    await list("documents", [document("a", "5")]);
    expect(ingress.last().path).toBe("/manifest");
    await list("configmaps", [child("a", "6", "a"), child("b", "7", "b")]);
    expect(ingress.last().triggers.map(({ name, lane }) => `${name} ${lane}`)).toEqual(["a resync", "b resync"]);
    expect(synced()).toBe(true);
  });

  it("does not wait for a list that failed, and is synced only once it came", async () => {
    const { asked, clock, declare, ingress, list, relay, synced } = relayUnderTest();
    await declare();
    await list("documents", [document("a", "5")]);
    asked("configmaps").refuse(403, "forbidden");
    await clock.settle();
    expect(ingress.last().names).toEqual(["a"]);
    expect(synced()).toBe(false);
    const [reason] = relay.status().reasons;
    expect(relay.status().ready).toBe(false);
    expect(reason).toContain("watch of configmaps: 403");
    await clock.advance(800);
    await list("configmaps", []);
    expect(synced()).toBe(true);
    ingress.last().accept();
    asked("documents").stream();
    asked("configmaps").stream();
    await clock.settle();
    expect(relay.status()).toMatchObject({ ready: true, reasons: [], outbox: { pending: 0, dropped: 0 } });
  });
});

describe("a change", () => {
  it("R11 is delivered at once, with what it was and the uid of the primary", async () => {
    const { clock, ingress, sync } = relayUnderTest();
    const stream = await sync();
    stream.send({ type: "MODIFIED", object: document("a", "11", 2) });
    await clock.settle();
    expect(ingress.last().triggers).toEqual([
      {
        controller: "docs",
        namespace: "default",
        name: "a",
        reason: "object-updated",
        lane: "live",
        cause: "Document default/a MODIFIED",
        uid: "uid-a",
      },
    ]);
  });

  it("of a child carries no uid: it is not the primary's", async () => {
    const { asked, clock, ingress, sync } = relayUnderTest();
    await sync();
    asked("configmaps")
      .stream()
      .send({ type: "ADDED", object: child("cm", "11", "a") });
    await clock.settle();
    expect(ingress.last().triggers).toMatchObject([{ name: "a", reason: "related-object-updated", lane: "live" }]);
    expect(ingress.last().triggers[0]).not.toHaveProperty("uid");
  });

  it("R11 goes in one batch with what comes in the same bytes", async () => {
    const { clock, ingress, sync } = relayUnderTest();
    const stream = await sync();
    stream.send(
      { type: "ADDED", object: document("b", "11") },
      { type: "ADDED", object: document("c", "12") },
      { type: "DELETED", object: document("b", "13") },
    );
    await clock.settle();
    expect(ingress.last().names).toEqual(["b", "c"]);
  });

  it("stands still where a test stops it", async () => {
    const reached: string[] = [];
    const { declare, ingress, list, relay } = relayUnderTest({
      reach(step) {
        reached.push(step);
        return new Promise(() => {});
      },
    });
    await declare();
    await list("documents", [document("a", "5")]);
    await list("configmaps", []);
    expect(reached).toEqual(["outbox filled, not delivered"]);
    expect(ingress.last().path).toBe("/manifest");
    expect(relay.status().outbox.pending).toBe(1);
  });

  it("X2 of a name that the wire does not take is dropped, counted and logged, and holds nobody up", async () => {
    const { ingress, logger, relay, sync } = relayUnderTest();
    await sync([document("a b", "5"), document("c", "6")]);
    expect(ingress.last().names).toEqual(["c"]);
    expect(relay.status().outbox.dropped).toBe(1);
    expect(logger.lines).toContainEqual(
      expect.objectContaining({ level: "error", message: "a name cannot be sent, dropped" }),
    );
  });
});

it("S14 another epoch triggers everything known, in the resync lane", async () => {
  const { clock, ingress, sync } = relayUnderTest();
  const stream = await sync([document("a", "5"), document("b", "6")]);
  stream.send({ type: "MODIFIED", object: document("a", "11", 2) });
  await clock.settle();
  ingress.last().accept({ epoch: "e2" });
  await clock.settle();
  expect(ingress.last().triggers.map(({ name, lane }) => `${name} ${lane}`)).toEqual(["a resync", "b resync"]);
});

describe("R12 /wake", () => {
  it("is asked at the start, before there is a manifest, and its failure is shown", async () => {
    const { clock, ingress, relay } = relayUnderTest();
    ingress.holdWakes = true;
    await clock.settle();
    expect(ingress.wakes).toHaveLength(1);
    ingress.wakes[0]!.refuse(503, "unavailable");
    await clock.settle();
    expect(relay.status().reasons).toContain("wake: POST /wake: 503 unavailable: unavailable");
    await clock.advance(200);
    ingress.wakes[1]!.accept();
    await clock.settle();
    expect(relay.status().reasons).toEqual(["manifest: the manifest was not fetched yet"]);
  });

  it("is asked 30 s after what an answer to /triggers told has passed", async () => {
    const { clock, ingress, sync } = relayUnderTest();
    const stream = await sync();
    stream.send({ type: "MODIFIED", object: document("a", "11", 2) });
    await clock.settle();
    ingress.last().accept({ nextWakeInMs: 5_000 });
    await clock.advance(34_999);
    expect(ingress.wakes).toHaveLength(1);
    await clock.advance(1);
    expect(ingress.wakes).toHaveLength(2);
  });

  it("S14 that tells another epoch triggers everything known, in the resync lane", async () => {
    const { clock, ingress, relay, sync } = relayUnderTest();
    const stream = await sync([document("a", "5"), document("b", "6")]);
    stream.send({ type: "MODIFIED", object: document("a", "11", 2) });
    await clock.settle();
    ingress.last().accept({ nextWakeInMs: 0 });
    ingress.holdWakes = true;
    await clock.advance(30_000);
    ingress.wakes.at(-1)!.accept({ epoch: "e2" });
    await clock.settle();
    expect(ingress.last().triggers.map(({ name, lane }) => `${name} ${lane}`)).toEqual(["a resync", "b resync"]);
    expect(relay.status().outbox.pending).toBe(0);
  });

  it("S16 is asked every 5 minutes where keys are triggered that the relay does not see", async () => {
    const { clock, declare, ingress } = relayUnderTest();
    await declare({ ...manifest, controllers: manifest.controllers.map((c) => ({ ...c, unseenTriggers: true })) });
    await clock.advance(600_000);
    expect(ingress.wakes).toHaveLength(3);
  });
});

it("the status tells each watch apart", async () => {
  const { clock, relay, sync } = relayUnderTest();
  await sync();
  await clock.advance(1_500);
  expect(relay.status().watches).toEqual([
    {
      resource: "documents.example.com",
      state: "Watching",
      synced: true,
      objects: 1,
      lastEventAgeMs: 1_500,
      relists: 0,
      relistsByCause: { expired: 0, refused: 0, restored: 0, unfinished: 0, unwatchable: 0 },
      reconnects: 0,
      reconnectsByCause: { closed: 0, silent: 0, deadline: 0, error: 0, failed: 0 },
    },
    expect.objectContaining({ resource: "configmaps", state: "InitListed" }),
  ]);
});
