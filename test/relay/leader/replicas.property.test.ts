import fc from "fast-check";
import { expect, it } from "vitest";
import { type Replica, replicas } from "./replicas.ts";

const NAMES = ["a", "b", "c"];
const who = fc.integer({ min: 0, max: 1 });
const name = fc.constantFrom(...NAMES);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("change" as const), name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("recreate" as const), name }) },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("pass" as const), ms: fc.constantFrom(10, 1_000, 7_000, 20_000, 310_000) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("pause" as const), who }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("goOn" as const), who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("kill" as const), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("stop" as const), who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("refuse" as const), refuses: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("keep" as const), nothing: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("disconnect" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("compact" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("epoch" as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Lives through all steps; the objects that nobody told of after their last change. */
async function missed(steps: readonly Step[]): Promise<string[]> {
  const { clock, server, functions, start, pass, delivered, create, change, delete: remove } = replicas();
  const changedAt = new Map<string, number>();
  let lives = 0;
  let version = 0;
  const touch = async (each: string, work: () => Promise<unknown>): Promise<void> => {
    await work();
    changedAt.set(each, clock.monotonic());
  };
  const next = (): Replica => start(`life-${++lives}`);
  for (const each of NAMES) await touch(each, () => create(each));
  const running = [next(), next()];
  const paused = new Set<Replica>();

  const act: { [K in Step["do"]]: (of: Extract<Step, { do: K }>) => unknown } = {
    change: (of) => touch(of.name, () => change(of.name, String(++version))),
    async recreate(of) {
      await remove(of.name);
      await touch(of.name, () => create(of.name));
    },
    pass: ({ ms }) => pass(ms),
    pause(of) {
      paused.add(running[of.who]!);
      running[of.who]!.pause();
    },
    goOn(of) {
      if (paused.delete(running[of.who]!)) running[of.who]!.goOn();
    },
    kill(of) {
      running[of.who]!.kill();
      running[of.who] = next();
    },
    async stop(of) {
      const stopping = running[of.who]!;
      if (paused.has(stopping)) return;
      void stopping.relay.stop();
      await pass(20_000);
      running[of.who] = next();
    },
    refuse({ refuses }) {
      functions.refuses = refuses;
    },
    keep({ nothing }) {
      functions.keepsNothing = nothing;
    },
    disconnect: () => server.disconnectWatches(),
    compact: () => server.compact(),
    epoch() {
      functions.epoch += "'";
      delivered.splice(0);
    },
  };
  for (const each of steps) await (act[each.do] as (of: Step) => unknown)(each);

  functions.refuses = functions.keepsNothing = false;
  for (const each of paused) each.goOn();
  await pass(120_000);
  // A store that was replaced tells of it with the next answer.
  await create("last");
  await pass(60_000);
  expect(running.filter(({ relay }) => relay.status().leader.leads)).toHaveLength(1);
  return NAMES.filter(
    (each) => !delivered.some((trigger) => trigger.name === each && trigger.at >= changedAt.get(each)!),
  );
}

it("R10 whatever becomes of two relays, each object is told of after its last change", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      expect(await missed(steps)).toEqual([]);
    }),
    { numRuns: 30 },
  );
});
