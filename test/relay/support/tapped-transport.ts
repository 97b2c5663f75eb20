import type { KubeTransport } from "../../../functions/ports/index.ts";

export type Tap = {
  /** Each request's path with its query, in order. */
  paths: string[];
  accepts: string[];
  /** Bytes of all bodies. */
  bytes: number;
  /** Changes what is asked, as if the relay had asked so. */
  rewritePath: (path: string) => string;
  /** Changes a body that is read as a whole. */
  rewriteText: (text: string) => string;
};

/** A transport that a test looks into, and bends: what the API server then does is its own. */
export function tapTransport(transport: KubeTransport): KubeTransport & { tap: Tap } {
  const tap: Tap = { paths: [], accepts: [], bytes: 0, rewritePath: (path) => path, rewriteText: (text) => text };
  return {
    tap,
    async fetch(path, init) {
      tap.paths.push(path);
      tap.accepts.push(init?.headers?.accept ?? "");
      const answer = await transport.fetch(tap.rewritePath(path), init);
      const text = async (): Promise<string> => {
        const read = await answer.text();
        tap.bytes += read.length;
        return tap.rewriteText(read);
      };
      return {
        status: answer.status,
        ok: answer.ok,
        headers: answer.headers,
        text,
        arrayBuffer: async () => new TextEncoder().encode(await text()).buffer,
        json: async () => JSON.parse(await text()),
        get body() {
          return answer.body?.pipeThrough(counter(tap)) ?? null;
        },
      };
    },
  };
}

function counter(tap: Tap): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  return new TransformStream({
    transform(chunk, controller) {
      tap.bytes += chunk.length;
      controller.enqueue(chunk);
    },
  });
}
