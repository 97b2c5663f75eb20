import { request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, test, vi } from "vitest";
import { type Listener, listenOn } from "../../adapters/runtime/node/listen.ts";

let listener: Listener;
afterEach(async () => {
  vi.restoreAllMocks();
  listener.cut();
  await listener.close();
});

/** What a client sees of one answer: its text, and whether it was cut off. */
function ask(url: string): Promise<{ text: string; whole: boolean }> {
  return new Promise((resolve) => {
    let text = "";
    const asked = request(url, { agent: false }, (answer) => {
      answer.on("data", (chunk) => {
        text += chunk;
      });
      answer.on("error", () => {});
      answer.on("close", () => resolve({ text, whole: answer.complete }));
    });
    asked.on("error", () => resolve({ text, whole: false }));
    asked.end();
  });
}

/** A body that breaks after some text, once the client has that. */
function breaking(text: string): ReadableStream<Uint8Array> {
  let pulls = 0;
  return new ReadableStream(
    {
      pull(controller) {
        pulls++;
        if (pulls === 1 && text !== "") return controller.enqueue(new TextEncoder().encode(text));
        throw new Error("s3cret detail of the upstream's end");
      },
    },
    { highWaterMark: 0 },
  );
}

test.each([
  ["in the middle", '{"items":['],
  ["before its first byte", ""],
])("an answer that breaks off %s is cut off, and nothing is printed or made up", async (_, text) => {
  const printed = [vi.spyOn(console, "error"), vi.spyOn(console, "info")];
  const answer = () => new Response(breaking(text), { headers: { "content-type": "application/json" } });
  listener = await listenOn(answer, { port: 0, host: "127.0.0.1", streams: true });
  const seen = await ask(listener.url);
  expect(seen.whole).toBe(false);
  expect(text.startsWith(seen.text)).toBe(true);
  for (const spy of printed) expect(spy).not.toHaveBeenCalled();
});

test("an answer that ends is whole, with its status and headers", async () => {
  const chunks = ["one", "two"];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = chunks.shift();
      if (next === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(next));
    },
  });
  const answer = () => new Response(body, { status: 201, headers: { "x-kept": "yes" } });
  listener = await listenOn(answer, { port: 0, host: "127.0.0.1", streams: true });
  const response = await fetch(listener.url);
  expect([response.status, response.headers.get("x-kept"), await response.text()]).toEqual([201, "yes", "onetwo"]);
});

test("an answer without a body has none", async () => {
  listener = await listenOn(() => new Response(null, { status: 204 }), {
    port: 0,
    host: "127.0.0.1",
    streams: true,
  });
  expect((await fetch(listener.url)).status).toBe(204);
});

test("a probe of HTTP/1.0 that names no host is answered", async () => {
  listener = await listenOn(({ url }) => new Response(new URL(url).pathname), { port: 0, host: "127.0.0.1" });
  const socket = connect(Number(new URL(listener.url).port), "127.0.0.1");
  socket.write("GET /healthz HTTP/1.0\r\n\r\n");
  const answer = await text(socket);
  expect(answer.slice(0, 13) + answer.slice(-8)).toBe("HTTP/1.1 200 /healthz");
});
