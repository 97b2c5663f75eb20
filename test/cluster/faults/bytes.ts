import { setImmediate } from "node:timers/promises";

/**
 * What may happen to the bytes of an answer on their way.
 * @module
 */

export type Bytes = (source: AsyncIterable<Buffer>) => AsyncIterable<Buffer>;

/** So few at a time, each in a packet of its own. */
export function slowly(size: number): Bytes {
  return async function* (source) {
    for await (const chunk of source)
      for (let from = 0; from < chunk.length; from += size) {
        yield chunk.subarray(from, from + size);
        await setImmediate();
      }
  };
}

/** As far as the middle of the first chunk that matches; then the connection breaks. */
export function brokenWithin(what: RegExp): Bytes {
  return async function* (source) {
    for await (const chunk of source) {
      if (what.test(chunk.toString())) {
        yield chunk.subarray(0, Math.floor(chunk.length / 2));
        throw new Error("broken");
      }
      yield chunk;
    }
  };
}

/** All before the first chunk that matches; then nothing until it is released, on a connection that stays open. */
export function stopped(what: RegExp): { bytes: Bytes; reached: Promise<void>; release(): void } {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  return {
    reached: reached.promise,
    release: () => released.resolve(),
    async *bytes(source) {
      for await (const chunk of source) {
        if (what.test(chunk.toString())) {
          reached.resolve();
          await released.promise;
        }
        yield chunk;
      }
    },
  };
}
