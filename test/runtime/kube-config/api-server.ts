import { readFileSync } from "node:fs";
import { createServer as createHttpServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket, Server as TlsServer } from "node:tls";

type Pem = `${"server" | "server-next" | "client"}.${"crt" | "key"}`;

/** A certificate that signs itself, and its key: for `kubernetes.test` and 127.0.0.1, or for a client. Made for tests. */
export function pem(name: Pem): string {
  return readFileSync(`${import.meta.dirname}/fixtures/${name}`, "utf8");
}

export type ApiServer = {
  url: string;
  requests: IncomingMessage[];
  connections: number;
  /** From now on the server shows this certificate to new connections. */
  show(name: "server" | "server-next"): void;
  close(): Promise<void>;
};

/** An HTTP server on loopback that keeps what it was asked. With `tls` it asks for a client certificate, and takes none too. */
export async function apiServer(answer: RequestListener, { tls = false } = {}): Promise<ApiServer> {
  const requests: IncomingMessage[] = [];
  const listener: RequestListener = (request, response) => {
    requests.push(request);
    answer(request, response);
  };
  const options = {
    cert: pem("server.crt"),
    key: pem("server.key"),
    ca: pem("client.crt"),
    requestCert: true,
    rejectUnauthorized: false,
  };
  const server: Server = tls ? createHttpsServer(options, listener) : createHttpServer(listener);
  const handle = { url: "", requests, connections: 0, show, close };
  server.on(tls ? "secureConnection" : "connection", () => {
    handle.connections++;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  handle.url = `http${tls ? "s" : ""}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return handle;

  function show(name: "server" | "server-next"): void {
    (server as unknown as TlsServer).setSecureContext({
      ...options,
      cert: pem(`${name}.crt`),
      key: pem(`${name}.key`),
    });
  }

  function close(): Promise<void> {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  }
}

/** Whom the client's certificate names, if the server trusts it. */
export function clientOf({ socket }: IncomingMessage): string | undefined {
  const { authorized, getPeerCertificate } = socket as TLSSocket;
  return authorized ? getPeerCertificate.call(socket).subject.CN?.toString() : undefined;
}
