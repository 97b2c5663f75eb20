import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { capConnections } from "../../adapters/runtime/node/cap-connections.ts";
import { type Listener, listenOn } from "../../adapters/runtime/node/listen.ts";

let listener: Listener;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  listener.cut();
  await listener.close();
});

/** A connection on which these bytes were written, and nothing more. */
async function say(text: string): Promise<Socket> {
  const socket = connect(Number(new URL(listener.url).port), "127.0.0.1").on("error", () => {});
  sockets.push(socket.resume());
  await once(socket, "connect");
  socket.write(text);
  return socket;
}

const listen = () => listenOn(async (asked) => new Response(await asked.text()), { port: 0, host: "127.0.0.1" });

test.each([
  ["nothing", ""],
  ["half of their headers", "GET / HTTP/1.1\r\nhost: a\r\n"],
  ["half of their body", "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nhalf"],
])("500 strangers who say %s keep nobody out", async (_, text) => {
  listener = await listen();
  await Promise.all(Array.from({ length: 500 }, () => say(text)));
  const answer = await fetch(listener.url, { method: "POST", body: "whole" });
  expect(await answer.text()).toBe("whole");
});

test("headers that do not come whole within 10 s end their connection soon after", async () => {
  listener = await listen();
  const startedAt = performance.now();
  const stranger = await say("GET / HTTP/1.1\r\n");
  await once(stranger, "close");
  expect(performance.now() - startedAt).toBeLessThan(13_000);
}, 60_000);

test("no request that is whole is given up for a newcomer, a connection at rest is", async () => {
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    asked.push(request.url ?? "");
    if (request.url === "/held") await held;
    response.end("whole");
  });
  capConnections(server, 2);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  listener = {
    url: `http://127.0.0.1:${port}`,
    close: async () => void server.close(),
    cut: () => server.closeAllConnections(),
  };

  const first = fetch(`${listener.url}/held`);
  await vi.waitFor(() => expect(asked).toEqual(["/held"]));
  const resting = await say("GET /rests HTTP/1.1\r\nhost: a\r\n\r\n");
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  const second = fetch(`${listener.url}/held`);
  await once(resting, "close");
  await vi.waitFor(() => expect(asked).toHaveLength(3));
  await once(await say(""), "close");
  answer();
  expect(await Promise.all([(await first).text(), (await second).text()])).toEqual(["whole", "whole"]);
});
