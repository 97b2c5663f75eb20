import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Holds a server to so many connections. Who comes when it is full takes the place of the connection that has gone longest
 * without a whole request, so that strangers who say nothing, or half of something, keep nobody out; where each has one, the
 * newcomer is turned away.
 */
export function capConnections(server: Server, most: number): void {
  /** Each connection's request: none before its headers are there, nor after its answer. Who has waited longest comes first. */
  const connections = new Map<Socket, IncomingMessage | undefined>();
  const put = (socket: Socket, request?: IncomingMessage) => {
    connections.delete(socket);
    connections.set(socket, request);
  };
  server.on("connection", (socket: Socket) => {
    put(socket);
    socket.once("close", () => connections.delete(socket));
    if (connections.size <= most) return;
    const [unfinished = socket] = [...connections].find(([, request]) => !request?.complete) ?? [];
    connections.delete(unfinished);
    unfinished.destroy();
  });
  server.on("request", (request, response) => {
    const { socket } = request;
    put(socket, request);
    response.once("close", () => {
      if (connections.get(socket) === request) put(socket);
    });
  });
}
