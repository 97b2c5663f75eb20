/** A stream of JSON lines that can be ended from both sides. */
export class LineStream {
  readonly stream: ReadableStream<Uint8Array>;
  readonly #encoder = new TextEncoder();
  readonly #cleanups: (() => void)[] = [];
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  /**
   * @param signal aborted when the client goes.
   * @param open where the stream is listed as long as it is open, by what closes it.
   */
  constructor(signal: AbortSignal, open: Set<() => void>) {
    this.stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      cancel: () => this.#release(),
    });
    const close = () => this.close();
    const abort = () => this.#abort(signal.reason);
    open.add(close);
    signal.addEventListener("abort", abort, { once: true });
    this.onClose(() => {
      open.delete(close);
      signal.removeEventListener("abort", abort);
    });
  }

  send(line: unknown): void {
    this.#controller?.enqueue(this.#encoder.encode(`${JSON.stringify(line)}\n`));
  }

  /** Registers what must end with the stream. */
  onClose(cleanup: () => void): void {
    this.#cleanups.push(cleanup);
  }

  close(): void {
    this.#controller?.close();
    this.#release();
  }

  /** As `fetch` does where its signal aborts: who reads sees an error, not an end. */
  #abort(reason: unknown): void {
    this.#controller?.error(reason);
    this.#release();
  }

  #release(): void {
    this.#controller = undefined;
    for (const cleanup of this.#cleanups.splice(0)) cleanup();
  }
}
