import type { KubeObject } from "../../../functions/kube/resource.ts";
import type { KubeRequest, KubeTransport } from "../../../functions/ports/index.ts";

/** A request that waits for its test to answer it. */
export type Asked = {
  path: string;
  query: URLSearchParams;
  accept: string;
  signal: AbortSignal;
  answer(response: Response): void;
  refuse(status: number, message: string, headers?: Record<string, string>): void;
  page(items: readonly KubeObject[], meta: { resourceVersion: string; continue?: string }): void;
  /** Answers with a stream of bytes that stays open. */
  stream(): Stream;
  /** No answer at all. */
  break(): void;
};

export type Stream = {
  send(...events: { type: string; object: unknown }[]): void;
  bytes(chunk: Uint8Array): void;
  end(): void;
  break(): void;
  /** Whether the reader let go of it. */
  readonly cancelled: boolean;
};

/**
 * An API server that answers only what a test says, when it says so.
 * @param streams whether it offers streaming lists. Else it refuses them itself, and a test meets pages alone.
 */
export function createScriptedApi({ streams = false } = {}): KubeTransport & { asked: Asked[]; last(): Asked } {
  const asked: Asked[] = [];
  return {
    asked,
    last() {
      const request = asked.at(-1);
      if (!request) throw new Error("nothing was asked");
      return request;
    },
    fetch: (path, init) =>
      new Promise((resolve, reject) => {
        const request = askedOf(path, init, resolve, reject);
        if (!streams && request.query.has("sendInitialEvents")) request.refuse(422, "sendInitialEvents is forbidden");
        else asked.push(request);
      }),
  };
}

function askedOf(
  path: string,
  init: KubeRequest | undefined,
  resolve: (response: Response) => void,
  reject: (error: unknown) => void,
): Asked {
  const { pathname, searchParams } = new URL(path, "https://cluster.test");
  const signal = init?.signal ?? new AbortController().signal;
  signal.addEventListener("abort", () => reject(signal.reason));
  return {
    path: pathname,
    query: searchParams,
    accept: init?.headers?.accept ?? "",
    signal,
    answer: resolve,
    refuse: (status, message, headers = {}) =>
      resolve(Response.json({ apiVersion: "v1", kind: "Status", message, code: status }, { status, headers })),
    page: (items, metadata) => resolve(Response.json({ kind: "PartialObjectMetadataList", metadata, items })),
    break: () => reject(new TypeError("fetch failed")),
    stream() {
      const stream = streamOf(signal);
      resolve(stream.response);
      return stream;
    },
  };
}

function streamOf(signal: AbortSignal): Stream & { response: Response } {
  let cancelled = false;
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    start(started) {
      controller = started;
    },
    cancel() {
      cancelled = true;
    },
  });
  signal.addEventListener("abort", () => {
    cancelled = true;
  });
  const bytes = (chunk: Uint8Array): void => controller.enqueue(chunk);
  return {
    response: new Response(body),
    bytes,
    send: (...events) => bytes(new TextEncoder().encode(events.map((event) => `${JSON.stringify(event)}\n`).join(""))),
    end: () => controller.close(),
    break: () => controller.error(new TypeError("terminated")),
    get cancelled() {
      return cancelled;
    },
  };
}
