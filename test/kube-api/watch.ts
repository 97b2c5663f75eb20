import type { KubeTransport } from "../../functions/ports/kube-transport.ts";

export type Watch = {
  status: number;
  /** The next events: so many, or all until the server ends the stream. */
  read(events: number | "end"): Promise<unknown[]>;
  close(): void;
};

/** Opens a watch. A bookmark that nobody asked for at a given time is left out, one that ends a streaming list is not. */
export async function openWatch(server: KubeTransport, path: string, headers: Record<string, string>): Promise<Watch> {
  const abort = new AbortController();
  const response = await server.fetch(path, { headers, signal: abort.signal });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  const next = async (): Promise<unknown> => {
    for (;;) {
      const line = buffer.indexOf("\n");
      if (line >= 0) {
        const event = JSON.parse(buffer.slice(0, line)) as {
          type?: string;
          object?: { metadata?: { annotations?: object } };
        };
        buffer = buffer.slice(line + 1);
        if (event.type === "BOOKMARK" && !event.object?.metadata?.annotations) continue;
        return event;
      }
      const { value, done } = await reader.read();
      if (done) return undefined;
      buffer += value;
    }
  };
  return {
    status: response.status,
    async read(events) {
      const read: unknown[] = [];
      while (events === "end" || read.length < events) {
        const event = await next();
        if (event === undefined) break;
        read.push(event);
      }
      return read;
    },
    close: () => abort.abort(),
  };
}
