import { describe, expect, it } from "vitest";
import { documents, objectOf, relationOf, secrets } from "./support/objects.ts";
import { child, deployment, owned, primary, relayToRedeploy } from "./support/redeployed.ts";
import { document } from "./support/relay-under-test.ts";

const before = deployment({
  docs: { revision: "d1", relations: [primary, owned()] },
  more: { revision: "m1", relations: [primary] },
});

/** Two documents, one with a child, delivered and watched. */
async function running() {
  const bench = relayToRedeploy();
  await bench.declare(before);
  await bench.list("documents", [document("a", "5"), document("b", "6")]);
  await bench.list("configmaps", [child("cm", "7", "a")]);
  const streams = { documents: bench.asked("documents").stream(), configMaps: bench.asked("configmaps").stream() };
  await bench.clock.settle();
  const start = await bench.taken();
  return { ...bench, streams, start };
}

describe("R12 a new revision", () => {
  it("F7 is told with the keys of the start too, which a redeploy may have sent the relay into", async () => {
    const { start } = await running();
    expect(start).toEqual([
      "docs/a resync bulk d1",
      "docs/b resync bulk d1",
      "more/a resync bulk m1",
      "more/b resync bulk m1",
    ]);
  });

  it("triggers every key of its controller in the resync lane, and nobody else's; no watch is touched", async () => {
    const { asking, redeploy, relay, streams, taken } = await running();
    const asked = asking();
    await redeploy(
      deployment({
        docs: { revision: "d2", relations: [primary, owned()] },
        more: { revision: "m1", relations: [primary] },
      }),
    );
    expect(await taken()).toEqual(["docs/a resync bulk d2", "docs/b resync bulk d2"]);
    expect(asked()).toEqual([]);
    expect(streams.documents.cancelled).toBe(false);
    expect(relay.status()).toMatchObject({ ready: true, revision: "d2+m1" });
  });

  it("that flaps triggers nothing", async () => {
    const { ingress, settleManifest } = await running();
    const after = { ...before, revision: "r2", controllers: before.controllers.map((c) => ({ ...c, revision: "x" })) };
    for (const declared of [after, before, after, before, after]) await settleManifest(Response.json(declared));
    expect(ingress.asked.filter(({ path }) => path === "/triggers")).toHaveLength(1);
  });

  it("that the functions' answers contradict waits", async () => {
    const { clock, ingress, settleManifest, streams } = await running();
    const after = { ...before, revision: "r2", controllers: before.controllers.map((c) => ({ ...c, revision: "x" })) };
    await settleManifest(Response.json(after));
    streams.documents.send({ type: "MODIFIED", object: document("a", "11", 2) });
    await clock.advance(20_000);
    ingress.last().accept({ revision: before.revision });
    await clock.advance(40_000);
    ingress.last().answer(Response.json(after));
    await clock.settle();
    expect(ingress.asked.filter(({ path }) => path === "/triggers")).toHaveLength(2);
  });

  it("S1 joins a change that is still to be delivered, which stays live", async () => {
    const { clock, ingress, settleManifest, streams, taken } = await running();
    const after = deployment({
      docs: { revision: "d2", relations: [primary, owned()] },
      more: { revision: "m1", relations: [primary] },
    });
    await settleManifest(Response.json(after));
    streams.documents.send({ type: "MODIFIED", object: document("b", "11", 2) });
    await clock.advance(20_000);
    ingress.last().refuse(503, "unavailable", { "retry-after": "41" });
    streams.configMaps.send({ type: "MODIFIED", object: child("cm", "12", "a") });
    await clock.advance(40_000);
    ingress.last().answer(Response.json(after));
    await clock.advance(1_000);
    expect(await taken()).toEqual([
      "docs/a live related-object-updated d2",
      "docs/b live object-updated d2",
      "more/b live object-updated",
    ]);
  });
});

describe("R12 a redeploy that adds a watch", () => {
  const labelled = relationOf({
    id: "watches/Secret",
    watch: { resource: secrets },
    mapping: { by: "label", label: "doc" },
  });
  const after = deployment({
    docs: { revision: "d2", relations: [primary, owned(), labelled] },
    more: { revision: "m1", relations: [primary] },
  });
  const secretOf = (name: string, doc: string) => objectOf({ name, resourceVersion: "20", labels: { doc } });

  it("lists it, and then tells each key of its controller once", async () => {
    const { asking, ingress, list, redeploy, taken } = await running();
    const asked = asking();
    await redeploy(after);
    expect(ingress.last().path).toBe("/manifest");
    await list("secrets", [secretOf("s", "a"), secretOf("t", "c")]);
    expect(asked()).toEqual(["list secrets", "watch secrets"]);
    expect(await taken()).toEqual(["docs/a resync bulk d2", "docs/b resync bulk d2", "docs/c resync bulk d2"]);
    expect(ingress.asked.filter(({ path }) => path === "/triggers")).toHaveLength(2);
  });

  it("delivers changes meanwhile, and is ready once it was listed", async () => {
    const { asked, clock, list, redeploy, relay, streams, taken } = await running();
    await redeploy(after);
    streams.documents.send({ type: "MODIFIED", object: document("a", "11", 2) });
    await clock.settle();
    expect(await taken()).toEqual(["docs/a live object-updated", "more/a live object-updated"]);
    expect(relay.status().reasons).toEqual(["watch of secrets: not listed yet"]);
    await list("secrets", []);
    asked("secrets").stream();
    await clock.settle();
    expect(relay.status().ready).toBe(true);
  });

  it("does not wait for a list that fails, and tells what that brings when it comes", async () => {
    const { asked, clock, list, redeploy, taken } = await running();
    await redeploy(after);
    asked("secrets").refuse(403, "forbidden");
    await clock.settle();
    expect(await taken()).toEqual(["docs/a resync bulk d2", "docs/b resync bulk d2"]);
    await clock.advance(800);
    await list("secrets", [secretOf("s", "c")]);
    expect(await taken()).toEqual(["docs/c resync related-object-updated d2"]);
  });
});

describe("R12 a redeploy that removes", () => {
  it("a watch ends it, and the others go on without a list", async () => {
    const { asking, clock, redeploy, relay, streams, taken } = await running();
    const asked = asking();
    await redeploy(
      deployment({ docs: { revision: "d2", relations: [primary] }, more: { revision: "m1", relations: [primary] } }),
    );
    expect(await taken()).toEqual(["docs/a resync bulk d2", "docs/b resync bulk d2"]);
    expect(streams.configMaps.cancelled).toBe(true);
    streams.documents.send({ type: "MODIFIED", object: document("a", "11", 2) });
    await clock.settle();
    expect(await taken()).toEqual(["docs/a live object-updated", "more/a live object-updated"]);
    expect(asked()).toEqual([]);
    expect(relay.status().watches.map(({ resource }) => resource)).toEqual(["documents.example.com"]);
  });

  it("a controller triggers none of its keys, and drops those that are still to be delivered", async () => {
    const { clock, ingress, relay, settleManifest, streams } = await running();
    const after = deployment({ more: { revision: "m1", relations: [primary] } });
    await settleManifest(Response.json(after));
    streams.configMaps.send({ type: "MODIFIED", object: child("cm", "11", "a") });
    await clock.advance(20_000);
    ingress.last().refuse(503, "unavailable", { "retry-after": "41" });
    await clock.advance(40_000);
    ingress.last().answer(Response.json(after));
    await clock.advance(1_000);
    expect(ingress.last().triggers).toMatchObject([{ controller: "docs", name: "a" }]);
    ingress.last().accept({ accepted: 0, rejected: [{ index: 0, error: "controller: docs is unknown here" }] });
    await clock.settle();
    expect(streams.configMaps.cancelled).toBe(true);
    expect(relay.status()).toMatchObject({ ready: true, outbox: { pending: 0, dropped: 1 } });
  });
});

describe("R12 a redeploy that changes a selector", () => {
  const selected = (team: string) =>
    relationOf({ watch: { resource: documents, matchLabels: { team } }, predicate: "generation" });

  it("F1 triggers what it selects from now on, and what it selects no longer", async () => {
    const { asked, asking, clock, declare, list, redeploy, relay, taken } = relayToRedeploy();
    await declare(deployment({ docs: { revision: "d1", relations: [selected("x")] } }));
    await list("documents", [document("left", "5"), document("both", "6")]);
    const stream = asked("documents").stream();
    await clock.settle();
    await taken();
    const requests = asking();
    await redeploy(deployment({ docs: { revision: "d2", relations: [selected("y")] } }));
    await list("documents", [document("both", "6"), document("came", "7")]);
    expect(requests()).toEqual(["list documents?team=y", "watch documents?team=y"]);
    expect(await taken()).toEqual(["docs/both resync bulk d2", "docs/came resync bulk d2", "docs/left resync bulk d2"]);
    expect(stream.cancelled).toBe(true);
    expect(relay.status().watches).toMatchObject([{ labelSelector: "team=y", objects: 2 }]);
  });
});

describe("R6 a redeploy that adds a controller to a watch", () => {
  const after = deployment({
    docs: { revision: "d1", relations: [primary, owned()] },
    more: { revision: "m2", relations: [primary, owned()] },
  });

  it("lists it anew, and triggers of the others what happened meanwhile, and nothing else", async () => {
    const { asking, list, redeploy, streams, taken } = await running();
    const asked = asking();
    await redeploy(after);
    expect(streams.configMaps.cancelled).toBe(true);
    await list("configmaps", [child("cm", "7", "a"), child("new", "12", "b")]);
    expect(asked()).toEqual(["list configmaps", "watch configmaps"]);
    expect(await taken()).toEqual(["docs/b resync related-object-updated d1"]);
    expect(await taken()).toEqual(["more/a resync bulk m2", "more/b resync bulk m2"]);
  });

  it("and is overtaken by another one while it lists, loses no key of either", async () => {
    const { asked, clock, redeploy, settleManifest, taken } = await running();
    await redeploy(after);
    asked("configmaps").page([child("cm", "7", "a")], { resourceVersion: "10", continue: "2" });
    await clock.settle();
    const last = deployment({
      docs: { revision: "d3", relations: [primary] },
      more: { revision: "m2", relations: [primary] },
    });
    await settleManifest(Response.json(last));
    asked("configmaps").page([], { resourceVersion: "10", continue: "3" });
    await settleManifest(Response.json(last));
    expect(await taken()).toEqual([
      "docs/a resync bulk d3",
      "docs/b resync bulk d3",
      "more/a resync bulk m2",
      "more/b resync bulk m2",
    ]);
  });
});
