import { concatBytes, MAX_GATEWAY_BODY_BYTES } from "../../../functions/contract/index.ts";
import type { Clock } from "../../../functions/ports/index.ts";
import { Refusal } from "./refusal.ts";

/** Most bytes of all bodies together, so that strangers cannot fill the relay's memory before anything is verified. */
export const MAX_BUFFERED_BYTES: number = 8 * MAX_GATEWAY_BODY_BYTES;

/** How long a body may take to come. */
export const BODY_TIMEOUT_MS = 10_000;

/** A body of this is counted before it comes, by what its header says, and read in one piece: its stream costs ten times as much. */
const MAX_WHOLE_BYTES = 65_536;

/** Buffers bodies, counted as they come (X3). */
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
    // Not even looked at: the adaptor on Node would make a whole request of it.
    if (request.method === "GET") return new Uint8Array();
    const length = lengthOf(request.headers);
    if (length !== undefined && length <= MAX_WHOLE_BYTES) return this.#readWhole(request, length);
    return this.#readStream(request);
  }

  async #readWhole(request: Request, length: number): Promise<Uint8Array<ArrayBuffer>> {
    this.#buffered += length;
    try {
      this.#check(length);
    } catch (error) {
      this.#buffered -= length;
      throw error;
    }
    let cancel = () => {};
    const late = new Promise<never>((_, reject) => {
      cancel = this.#clock.setTimer(BODY_TIMEOUT_MS, () => reject(tooSlow()));
    });
    const whole = request.arrayBuffer();
    try {
      const body = new Uint8Array(await Promise.race([whole, late]));
      if (body.length === length) return body;
      throw new Refusal(400, "malformed", "the body is not as long as its content-length", { field: "body" });
    } catch (error) {
      // One that still comes may take its room until it has ended.
      whole
        .catch(() => {})
        .finally(() => {
          this.#buffered -= length;
        });
      throw error instanceof Refusal ? error : brokenOff();
    } finally {
      cancel();
    }
  }

  async #readStream(request: Request): Promise<Uint8Array<ArrayBuffer>> {
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
      if (timedOut) throw tooSlow();
    } catch (error) {
      this.#buffered -= size;
      reader.cancel().catch(() => {});
      throw error instanceof Refusal ? error : brokenOff();
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

/** Both servers that there are end a body there. One that is sent in chunks has a length that nobody knows, whatever is said. */
function lengthOf(headers: Headers): number | undefined {
  const text = headers.get("content-length") ?? "";
  return /^\d{1,7}$/.test(text) && !headers.has("transfer-encoding") ? Number(text) : undefined;
}

function tooSlow(): Refusal {
  return new Refusal(408, "too-slow", "the body took too long", { field: "body", limit: `${BODY_TIMEOUT_MS} ms` });
}

function brokenOff(): Refusal {
  return new Refusal(400, "malformed", "the body broke off", { field: "body" });
}
