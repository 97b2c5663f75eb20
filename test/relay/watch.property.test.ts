import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { KubeObject } from "../../functions/kube/resource.ts";
import type { ModelServer } from "./support/model-server.ts";
import { ModelWatch } from "./support/model-watch.ts";

const names = ["a", "b", "c"];

type Command = { run(model: ModelWatch): void };

/** A counterexample prints what its commands do. */
function commandOf(does: string, run: Command["run"]): Command {
  return { run, [fc.toStringMethod]: () => does } as Command;
}

/** A restored server stays below what the relay saw until that notices: nobody could tell otherwise (R14). */
function write(does: string, run: (server: ModelServer, name: string) => void): fc.Arbitrary<Command> {
  return fc.constantFrom(...names).map((name) =>
    commandOf(`${does} ${name}`, ({ state, server }) => {
      const seen = Number(state.cursor ?? 0);
      if (server.version >= seen || server.version + 1 < seen) run(server, name);
    }),
  );
}

function fault(does: string, run: (model: ModelWatch) => void): fc.Arbitrary<Command> {
  return fc.constant(commandOf(does, run));
}

const serve = fc.integer({ min: 1, max: 6 }).map((times) =>
  commandOf(`serve ${times} times`, (model) => {
    for (let i = 0; i < times; i++) model.serve();
  }),
);

const writes = fc.oneof(
  { weight: 3, arbitrary: write("create", (server, name) => server.create(name)) },
  { weight: 3, arbitrary: write("update the spec of", (server, name) => server.update(name, "spec")) },
  { weight: 2, arbitrary: write("update the status of", (server, name) => server.update(name, "status")) },
  { weight: 2, arbitrary: write("delete", (server, name) => server.delete(name)) },
);

const restore = commandOf("restore", (model) => {
  if (model.server.restore()) model.fail(undefined);
});

const expire = commandOf("expire", (model) => model.fail(410));

/** The same versions come again with other contents: to a watch, or to one that is about to list anyhow. */
const rewritten = fc
  .tuple(fc.array(writes, { maxLength: 4 }), serve, fc.boolean(), fc.array(writes, { maxLength: 3 }))
  .map(([before, seen, expires, after]) => {
    const commands = [...before, seen, ...(expires ? [expire] : []), restore, ...after];
    return commandOf(`(save, ${commands.map((each) => fc.stringify(each)).join(", ")})`, (model) => {
      model.server.save();
      for (const each of commands) each.run(model);
    });
  });

const command = fc.oneof(
  { weight: 10, arbitrary: writes },
  { weight: 8, arbitrary: serve },
  fault("bookmark", (model) => model.bookmark()),
  fault("replay", (model) => model.replay()),
  fault("compact", ({ server }) => server.compact()),
  fault("silence", (model) => model.silence()),
  fault("deadline", (model) => model.deadline()),
  fault("close", (model) => model.fail(undefined)),
  { weight: 2, arbitrary: rewritten },
  fc
    .constantFrom(0, 400, 403, 404, 405, 410, 429, 500, 503, 504)
    .map((status) => commandOf(`fail with ${status}`, (model) => model.fail(status))),
  fc.integer({ min: 0, max: 200_000 }).map((ms) => commandOf(`${ms} ms pass`, (model) => model.pass(ms))),
);

function run([streams, commands]: [streams: boolean, commands: readonly Command[]]): ModelWatch {
  const model = new ModelWatch(streams);
  for (const each of commands) each.run(model);
  model.drain();
  return model;
}

const versions = (objects: Iterable<[string, { uid: string; version: string }]>) =>
  [...objects].map(([id, { uid, version }]) => `${id} ${uid} ${version}`).sort();

const specOf = (object: KubeObject | undefined) =>
  object && `${object.metadata.uid} ${(object as KubeObject & { spec?: unknown }).spec}`;

describe("R1 whatever pages, events, bookmarks, errors, closings and clocks do", () => {
  const options = { numRuns: 2_000 };
  /** Of a server that offers streaming lists, or of one that refuses them. */
  const scenario = fc.tuple(fc.boolean(), fc.array(command, { maxLength: 80 }));

  it("R3 the store ends equal to the server's", () => {
    fc.assert(
      fc.property(scenario, (each) => {
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
      fc.property(scenario, (each) => {
        const { server, triggered } = run(each);
        for (const name of names) {
          const now = server.objects.get(name);
          const any = triggered.get(`any/${name}`);
          // A store put back may hold what was seen, while a run had read what came after: nobody can know that.
          expect([any?.seen, any?.read], `${name} after any change`).toContain(now);
          const generation = triggered.get(`generation/${name}`);
          expect([specOf(generation?.seen), specOf(generation?.read)], `${name} after a new spec`).toContain(
            specOf(now),
          );
        }
      }),
      options,
    );
  });

  it("R6 a list of what was seen already triggers nothing", () => {
    fc.assert(
      fc.property(scenario, (each) => {
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
