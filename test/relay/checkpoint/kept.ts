import { createMemoryKeyValue } from "../../../adapters/kv/memory.ts";
import { createVirtualClock } from "../../../adapters/testing/virtual-clock.ts";
import { createIngress as createFunctionsIngress } from "../../../functions/http/ingress.ts";
import type { KeyValue } from "../../../functions/ports/index.ts";
import { createCheckpoint } from "../../../infra/relay/checkpoint/checkpoint.ts";
import { createIngress } from "../../../infra/relay/deliver/ingress.ts";
import { recordingLogger } from "../../support/recording-logger.ts";
import { manifest } from "../support/relay-under-test.ts";
import { secret } from "../support/scripted-ingress.ts";

/** Checkpoints of one cluster in a store that a test looks into, behind the real ingress. */
export function kept() {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const memory = createMemoryKeyValue(clock);
  const keys = new Set<string>();
  const bench = {
    clock,
    logger: recordingLogger(),
    memory,
    /** What is asked of the functions, in order: `GET index`, `PUT part`. */
    asked: [] as string[],
    /** What the store was asked, by operation. */
    operations: { get: 0, set: 0, delete: 0 },
    broken: false,
    /** Answers in place of the functions. */
    instead: undefined as ((method: string, name: string) => Response | undefined) | undefined,
    /** The keys that hold something. */
    async stored(): Promise<string[]> {
      const found = await Promise.all([...keys].map(async (key) => [key, await memory.get(key)] as const));
      return found.flatMap(([key, value]) => (value === undefined ? [] : [key]));
    },
    relay,
    messages: () => bench.logger.lines.map(({ message }) => message),
    take(): string[] {
      return bench.asked.splice(0);
    },
  };

  async function counted<T>(operation: keyof typeof bench.operations, work: Promise<T>): Promise<T> {
    bench.operations[operation]++;
    if (bench.broken) throw new Error("the store is away");
    return work;
  }
  const kv: KeyValue = {
    flags: memory.flags,
    get: (key) => counted("get", memory.get(key)),
    set(key, value, options) {
      keys.add(key);
      return counted("set", bench.broken ? Promise.resolve() : memory.set(key, value, options));
    },
    delete: (key) => counted("delete", memory.delete(key)),
  };
  const functions = createFunctionsIngress({
    manifest,
    clusters: [{ name: "home", secrets: [secret] }],
    scheduler: {
      flags: { durable: false, timer: "platform" },
      accept: async () => ({ nextWakeInMs: null, epoch: "e1" }),
      wake: async () => ({ nextWakeInMs: null, epoch: "e1" }),
    },
    ...{ kv, clock, logger: bench.logger },
  });

  /** Another relay's checkpoint. */
  function relay() {
    return createCheckpoint({
      cluster: "home",
      ingress: createIngress({
        ingress: {
          async fetch(path, { signal: _, ...init }) {
            const name = path.split("/").at(-1)!;
            bench.asked.push(`${init.method} ${name === "index" ? name : "part"}`);
            return bench.instead?.(init.method, name) ?? functions.request(path, init);
          },
        },
        secrets: [secret],
        clock,
      }),
      clock,
      logger: bench.logger,
    });
  }
  return bench;
}
