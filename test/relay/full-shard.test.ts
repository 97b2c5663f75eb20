import { expect, it } from "vitest";
import { document, relayUnderTest } from "./support/relay-under-test.ts";

const FULL = "shard-full: home holds as many keys as it can";

/** A relay that has seen two new Documents, whose delivery waits to be answered. */
async function delivering() {
  const under = relayUnderTest();
  const { clock, sync } = under;
  const stream = await sync([]);
  let generation = 20;
  const send = async (...names: string[]): Promise<void> => {
    for (const name of names)
      stream.send({ type: "MODIFIED", object: document(name, String(++generation), generation) });
    await clock.settle();
  };
  return { ...under, send };
}

it("R5 new keys of a full shard are held, the rest is delivered, and readiness says so", async () => {
  const { clock, ingress, logger, relay, send } = await delivering();
  await send("a");
  ingress.last().accept({ accepted: 0, rejected: [{ index: 0, error: FULL }] });
  await send("b");
  expect(ingress.last().names).toEqual(["b"]);
  ingress.last().accept();
  await clock.settle();
  expect(relay.status()).toMatchObject({
    ready: false,
    reasons: ["scheduler: its shard is full, 1 new keys are held"],
    outbox: { pending: 1, dropped: 0 },
  });
  expect(logger.lines.filter(({ level }) => level === "error")).toEqual([
    { level: "error", message: "the scheduler's shard is full, holding new keys", fields: { keys: 1 } },
  ]);
});

it("R5 they are sent again, later each time, until there is room", async () => {
  const { clock, ingress, relay, send } = await delivering();
  await send("a", "b");
  // The first was sent alone, the second while that was under way.
  ingress.last().accept();
  await clock.settle();
  for (const ms of [200, 400, 800]) {
    ingress.last().accept({ accepted: 0, rejected: [{ index: 0, error: FULL }] });
    const asked = ingress.asked.length;
    await clock.advance(ms - 1);
    expect(ingress.asked).toHaveLength(asked);
    await clock.advance(1);
    expect(ingress.last().names).toEqual(["b"]);
  }
  ingress.last().accept();
  await clock.settle();
  expect(relay.status()).toMatchObject({ ready: true, outbox: { pending: 0, dropped: 0 } });
});

it("R5 a newer trigger of a held key goes at once, and one acceptance is enough for both", async () => {
  const { clock, ingress, relay, send } = await delivering();
  await send("a");
  ingress.last().accept({ accepted: 0, rejected: [{ index: 0, error: FULL }] });
  await send("a");
  ingress.last().accept();
  await clock.settle();
  expect(relay.status().reasons).toEqual([]);
});

it("R7 a stop waits for none of them: they are pending in the checkpoint", async () => {
  const { clock, ingress, relay, send } = await delivering();
  await send("a");
  ingress.last().accept({ accepted: 0, rejected: [{ index: 0, error: FULL }] });
  await clock.settle();
  const puts: string[] = [];
  ingress.keep = (delivery, body) => {
    puts.push(new TextDecoder().decode(body));
    delivery.answer(Response.json({ apiVersion: "sluice.dev/v1", part: "p" }));
  };
  await relay.stop();
  await clock.settle();
  expect(puts.join("\n")).toContain('"name":"a"');
});
