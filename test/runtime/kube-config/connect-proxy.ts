import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

export type ConnectProxy = {
  url: string;
  /** Hosts that were asked for: `k.test:6443`. */
  asked: string[];
  /** Proxy-Authorization of each. */
  shown: (string | undefined)[];
  /** Breaks every tunnel that is open. */
  cut(): void;
  close(): Promise<void>;
};

/** A proxy that opens tunnels (CONNECT), and finds every name on loopback; `refuse` answers with that status instead. */
export async function connectProxy({ refuse }: { refuse?: number } = {}): Promise<ConnectProxy> {
  const sockets = new Set<Socket>();
  const server = createServer();
  const proxy: ConnectProxy = { url: "", asked: [], shown: [], cut, close };
  server.on("connect", (request: IncomingMessage, client: Socket, head: Buffer) => {
    proxy.asked.push(request.url ?? "");
    proxy.shown.push(request.headers["proxy-authorization"]);
    client.on("error", () => {});
    if (refuse !== undefined) {
      client.end(`HTTP/1.1 ${refuse} Refused\r\n\r\n`);
      return;
    }
    const upstream = connect(Number(request.url?.split(":").at(-1)), "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on("error", () => client.destroy());
    sockets.add(upstream);
  });
  server.on("connection", (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxy;

  function cut(): void {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  }

  function close(): Promise<void> {
    cut();
    return new Promise((resolve) => server.close(() => resolve()));
  }
}
