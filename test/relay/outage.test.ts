import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { MAX_TRIGGERS } from "../../functions/contract/index.ts";
import { documents, manifestOf, relationOf } from "./support/objects.ts";
import { document, relayUnderTest } from "./support/relay-under-test.ts";
import type { Delivery } from "./support/scripted-ingress.ts";

const KEYS = 10_000;
const ROUNDS = 10;
const MINUTE_MS = 60_000;
const declared = manifestOf({ docs: [relationOf({ watch: { resource: documents }, predicate: "generation" })] });

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** What is held, in bytes. */
function heldBytes(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

/** A relay whose watch goes on for as long as it is looked after. */
async function watching() {
  const under = relayUnderTest();
  const { asked, clock, ingress } = under;
  await under.declare(declared);
  await under.list("documents", []);
  let request = asked("documents");
  let stream = request.stream();
  let version = 100;
  const send = (...events: Parameters<typeof stream.send>) => {
    const newest = asked("documents");
    if (newest !== request) stream = newest.stream();
    request = newest;
    stream.send(...events);
  };
  return {
    ...under,
    async changeAll(generation: number): Promise<void> {
      for (let i = 0; i < KEYS; i++)
        send({ type: "MODIFIED", object: document(`doc-${i}`, String(++version), generation) });
      await clock.settle();
    },
    /** A minute, at whose beginning the functions answer what they were asked. */
    async minute(answer: (delivery: Delivery) => void): Promise<void> {
      send({ type: "BOOKMARK", object: { metadata: { resourceVersion: String(version) } } });
      for (const delivery of ingress.asked.splice(0)) answer(delivery);
      await clock.advance(MINUTE_MS);
    },
  };
}

it("R5 an hour without functions and 100,000 changes of 10,000 keys cost what one change of each does", async () => {
  const { changeAll, minute, relay, ingress, clock } = await watching();
  const held: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    await changeAll(round);
    for (let i = 0; i < 6; i++) await minute((delivery) => delivery.break());
    expect(relay.status().outbox.pending).toBe(KEYS);
    held.push(heldBytes());
  }
  expect(relay.status().reasons).toContainEqual(expect.stringMatching(/^delivery: /));
  expect(relay.status().outbox.oldestAgeMs).toBeGreaterThan(59 * MINUTE_MS);
  expect(Math.max(...held) - held[0]!).toBeLessThan(2_000_000);

  const delivered: string[] = [];
  for (let second = 0; relay.status().outbox.oldestAgeMs !== undefined && second < 30 + KEYS / MAX_TRIGGERS; second++) {
    for (const delivery of ingress.asked.splice(0)) {
      // The relay has given up waiting for what was asked before.
      if (delivery.signal.aborted) continue;
      delivered.push(...delivery.names);
      if (delivery.path === "/manifest") delivery.answer(Response.json(declared));
      else delivery.accept();
    }
    await clock.advance(1_000);
  }
  expect(relay.status()).toMatchObject({ reasons: [], outbox: { pending: 0, dropped: 0 } });
  expect(new Set(delivered).size).toBe(KEYS);
  expect(delivered).toHaveLength(KEYS);
}, 60_000);
