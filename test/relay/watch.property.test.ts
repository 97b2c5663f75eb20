import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ModelServer } from "./support/model-server.ts";
import { ModelWatch } from "./support/model-watch.ts";
import type { objectOf } from "./support/objects.ts";

const names = ["a", "b", "c", "d", "e"];

type Command = { does: string; run(model: ModelWatch): void };

/** While a restored server's versions are below what the relay saw, nothing may write: nobody could tell then (R14). */
function write(does: string, run: (server: ModelServer, name: string) => void): fc.Arbitrary<Command> {
  return fc.constantFrom(...names).map((name) => ({
    does: `${does} ${name}`,
    run(model) {
      if (!(Number(model.state.cursor ?? 0) > model.server.version)) run(model.server, name);
    },
  }));
}

function fault(does: string, run: (model: ModelWatch) => void): fc.Arbitrary<Command> {
  return fc.constant({ does, run });
}

const serve = fc.integer({ min: 1, max: 6 }).map(
  (times): Command => ({
    does: `serve ${times} times`,
    run(model) {
      for (let i = 0; i < times; i++) model.serve();
    },
  }),
);

const command = fc.oneof(
  { weight: 3, arbitrary: write("create", (server, name) => server.create(name)) },
  { weight: 3, arbitrary: write("update the spec of", (server, name) => server.update(name, "spec")) },
  { weight: 2, arbitrary: write("update the status of", (server, name) => server.update(name, "status")) },
  { weight: 2, arbitrary: write("delete", (server, name) => server.delete(name)) },
  { weight: 8, arbitrary: serve },
  fault("bookmark", (model) => model.bookmark()),
  fault("replay", (model) => model.replay()),
  fault("compact", ({ server }) => server.compact()),
  fault("silence", (model) => model.silence()),
  fault("deadline", (model) => model.deadline()),
  fault("close", (model) => model.fail(undefined)),
  fault("save", ({ server }) => server.save()),
  fault("restore", (model) => {
    if (model.server.restore()) model.fail(undefined);
  }),
  fc.constantFrom(0, 400, 403, 404, 410, 429, 500, 503).map((status) => ({
    does: `fail with ${status}`,
    run: (model: ModelWatch) => model.fail(status),
  })),
  fc
    .integer({ min: 0, max: 200_000 })
    .map((ms) => ({ does: `${ms} ms pass`, run: (model: ModelWatch) => model.pass(ms) })),
);

function run(commands: readonly Command[]): ModelWatch {
  const model = new ModelWatch();
  for (const each of commands) each.run(model);
  model.drain();
  return model;
}

const versions = (objects: Iterable<[string, { uid: string; version: string }]>) =>
  [...objects].map(([id, { uid, version }]) => `${id} ${uid} ${version}`).sort();

const contentOf = (object: ReturnType<typeof objectOf> | undefined) =>
  object && `${object.metadata.uid} ${object.spec}`;

describe("R1 whatever pages, events, bookmarks, errors, closings and clocks do", () => {
  const options = { numRuns: 2_000 };
  const commands = fc.array(command, { maxLength: 80 });

  it("R3 the store ends equal to the server's", () => {
    fc.assert(
      fc.property(commands, (each) => {
        const { store, server } = run(each);
        const expected = [...server.objects].map(
          ([id, { metadata }]) => `default/${id} ${metadata.uid} ${metadata.resourceVersion}`,
        );
        expect(versions(store.entries())).toEqual(expected.sort());
      }),
      options,
    );
  });

  it("R4 R5 the last trigger of every key came after its last change", () => {
    fc.assert(
      fc.property(commands, (each) => {
        const { server, read } = run(each);
        for (const name of names) {
          const now = server.objects.get(name);
          expect(read.get(`any/${name}`), `${name} after any change`).toBe(now);
          expect(contentOf(read.get(`generation/${name}`)), `${name} after a new generation`).toBe(contentOf(now));
        }
      }),
      options,
    );
  });

  it("R6 a list of what was seen already triggers nothing", () => {
    fc.assert(
      fc.property(commands, (each) => {
        const model = run(each);
        const before = model.triggers;
        model.fail(410);
        model.drain();
        expect(model.triggers).toBe(before);
      }),
      options,
    );
  });
});
