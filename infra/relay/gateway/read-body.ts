import { concatBytes, MAX_GATEWAY_BODY_BYTES } from "../../../functions/contract/index.ts";
import type { Clock } from "../../../functions/ports/index.ts";
import { Refusal } from "./refusal.ts";

/** Most bytes of all bodies together, so that strangers cannot fill the relay's memory before anything is verified. */
export const MAX_BUFFERED_BYTES: number = 8 * MAX_GATEWAY_BODY_BYTES;

/** How long a body may take to come. */
export const BODY_TIMEOUT_MS = 10_000;

/** Buffers bodies, counted as they come: no header is believed (X3). */
export class BodyReader {
  readonly #clock: Clock;
  #buffered = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Reads a body whole. Whoever gets it gives it back by {@link release}.
   * @throws Refusal 413 past the limit, 429 past that of all bodies, 408 where it takes too long, 400 where it breaks off.
   */
  async read(request: Request): Promise<Uint8Array<ArrayBuffer>> {
    if (!request.body) return new Uint8Array();
    const reader = request.body.getReader();
    let timedOut = false;
    const cancel = this.#clock.setTimer(BODY_TIMEOUT_MS, () => {
      timedOut = true;
      reader.cancel().catch(() => {});
    });
    const chunks: Uint8Array[] = [];
    let size = 0;
    try {
      for (let read = await reader.read(); !read.done; read = await reader.read()) {
        size += read.value.length;
        this.#buffered += read.value.length;
        chunks.push(read.value);
        this.#check(size);
      }
      if (timedOut)
        throw new Refusal(408, "too-slow", "the body took too long", { field: "body", limit: `${BODY_TIMEOUT_MS} ms` });
    } catch (error) {
      this.#buffered -= size;
      reader.cancel().catch(() => {});
      throw error instanceof Refusal ? error : new Refusal(400, "malformed", "the body broke off", { field: "body" });
    } finally {
      cancel();
    }
    return concatBytes(chunks);
  }

  /** A body that was read is no longer held. */
  release(body: Uint8Array): void {
    this.#buffered -= body.length;
  }

  #check(size: number): void {
    if (size > MAX_GATEWAY_BODY_BYTES) {
      const limit = `${MAX_GATEWAY_BODY_BYTES} bytes`;
      throw new Refusal(413, "too-large", `the body is larger than ${limit}`, { field: "body", limit });
    }
    if (this.#buffered > MAX_BUFFERED_BYTES) {
      const limit = `${MAX_BUFFERED_BYTES} bytes at once`;
      const message = `the bodies under way are larger than ${limit}`;
      throw new Refusal(429, "too-many-requests", message, { field: "body", limit }, { "retry-after": "1" });
    }
  }
}
