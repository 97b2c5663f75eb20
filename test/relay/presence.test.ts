import { describe, expect, it } from "vitest";
import { document, manifest, relayUnderTest } from "./support/relay-under-test.ts";
import type { Delivery } from "./support/scripted-ingress.ts";

const MINUTE_MS = 60_000;

/** A relay with a change that is not delivered: from now on the functions answer what is said, or nothing at all. */
async function away(answer: (asked: Delivery) => void = (asked) => asked.break()) {
  const under = relayUnderTest();
  const { clock, ingress, sync } = under;
  const stream = await sync();
  ingress.holdWakes = true;
  ingress.asked.length = ingress.wakes.length = 0;
  const take = (): Delivery[] => [...ingress.asked.splice(0), ...ingress.wakes.splice(0)];
  const change = async (): Promise<void> => {
    stream.send({ type: "MODIFIED", object: document("a", "11", 2) });
    await clock.settle();
  };
  /** Functions that stay as they are for so long. @returns what was asked. */
  const stay = async (ms: number): Promise<string[]> => {
    const paths: string[] = [];
    for (let passed = 0; passed < ms; passed += 100) {
      for (const asked of take()) {
        paths.push(asked.path);
        answer(asked);
      }
      await clock.advance(100);
    }
    return paths;
  };
  return { ...under, change, stay, take };
}

describe("R5, R12 functions that give no answer", () => {
  it("are asked what they declare every second, while deliveries wait longer each time", async () => {
    const { change, stay } = await away();
    await change();
    await stay(MINUTE_MS);
    const asked = await stay(MINUTE_MS);
    const count = (path: string) => asked.filter((each) => each === path).length;
    expect(count("/manifest")).toBeGreaterThan(40);
    expect(count("/manifest")).toBeLessThan(80);
    expect(count("/triggers")).toBeLessThanOrEqual(4);
  });

  it("get what waits within a second and a quarter once they are back, and are woken", async () => {
    const { change, clock, ingress, relay, stay } = await away();
    await change();
    await stay(2 * MINUTE_MS);
    await clock.advance(1_250);
    const asked = ingress.asked.find(({ path }) => path === "/manifest");
    asked!.answer(Response.json(manifest));
    await clock.settle();
    expect(ingress.asked.at(-1)).toMatchObject({ path: "/triggers", names: ["a"] });
    ingress.last().accept();
    expect(ingress.wakes).toHaveLength(1);
    ingress.wakes[0]!.accept();
    await clock.settle();
    expect(relay.status()).toMatchObject({ ready: true, outbox: { pending: 0 } });
  });

  it("that are behind something which answers for them are asked no more often than before", async () => {
    const { change, stay } = await away((asked) => asked.answer(new Response("<html>", { status: 502 })));
    await change();
    await stay(10 * MINUTE_MS);
    const asked = await stay(10 * MINUTE_MS);
    expect(asked.filter((path) => path === "/manifest").length).toBeLessThanOrEqual(11);
  });
});

it("R5 a refusal of the functions' own ends no other wait", async () => {
  const { change, clock, ingress, take } = await away();
  await change();
  take()[0]!.refuse(503, "unavailable", { "retry-after": "40" });
  await clock.advance(30_000);
  expect(ingress.asked.filter(({ path }) => path === "/triggers")).toEqual([]);
  for (const asked of take()) if (asked.path === "/manifest") asked.answer(Response.json(manifest));
  await clock.advance(9_999);
  expect(ingress.asked.filter(({ path }) => path === "/triggers")).toEqual([]);
  await clock.advance(1);
  expect(ingress.asked.filter(({ path }) => path === "/triggers")).toHaveLength(1);
});
