import { type IncomingMessage, request as sendRequest } from "node:http";
import type { KubeRequest, KubeTransport, Logger } from "../../../../functions/ports/index.ts";
import { Connections } from "./connections.ts";
import type { CredentialSource, Credentials } from "./credentials.ts";
import { freshCredentials } from "./fresh-credentials.ts";
import { NodeResponse } from "./response.ts";

/** The API server itself gives up after 60 s (`--request-timeout`), and then says so. */
const HEADERS_TIMEOUT_MS = 65_000;

export type NodeTransportOptions = {
  logger?: Logger;
  /** Milliseconds of a clock that never steps. */
  monotonic?: () => number;
};

export interface NodeTransport extends KubeTransport {
  /** Ends all connections, with the requests on them. */
  close(): Promise<void>;
}

/**
 * Reaches an API server from Node, trusting its own CA. Speaks HTTP/1.1: measured against a real API server, HTTP/2 takes
 * more CPU a request one at a time and is no faster at 16 at once. A body may be silent for as long as it likes, since a
 * watch is; who reads one sets the limit.
 * @throws Error where the credentials cannot be read or are of a kind that is not supported.
 * @example const transport = await connectKube(credentialSource(process.env));
 */
export async function connectKube(
  source: CredentialSource,
  { logger, monotonic = () => performance.now() }: NodeTransportOptions = {},
): Promise<NodeTransport> {
  const fresh = await freshCredentials(source, monotonic, logger);
  let link = open(await fresh.current());
  const retired = new Set<Connections>();

  function open(credentials: Credentials): Link {
    if (credentials.tls.rejectUnauthorized === false)
      logger?.warn("the API server's certificate is not checked: anybody on the way can read and change what is said", {
        server: credentials.server,
      });
    const { host, pathname } = new URL(credentials.server);
    const prefix = pathname === "/" ? "" : pathname;
    return { credentials, connections: new Connections(credentials), host, prefix };
  }

  function linkFor(credentials: Credentials): Link {
    if (link.credentials === credentials) return link;
    if (sameWay(link.credentials, credentials)) {
      link = { ...link, credentials };
    } else {
      const opened = open(credentials);
      retire(link.connections);
      link = opened;
    }
    return link;
  }

  /** Requests on the old connections, as a watch, may end there. */
  function retire(connections: Connections): void {
    for (const old of retired) if (old.isDone) retired.delete(old);
    connections.retire();
    retired.add(connections);
  }

  async function attempt(credentials: Credentials, path: string, init: KubeRequest): Promise<NodeResponse> {
    const { signal } = init;
    const failure = (error: unknown) => (signal?.aborted ? signal.reason : noAnswer(credentials.server, error));
    try {
      return new NodeResponse(await send(linkFor(credentials), path, init), failure);
    } catch (error) {
      throw failure(error);
    }
  }

  return {
    async fetch(path, init = {}) {
      const credentials = await fresh.current();
      const answer = await attempt(credentials, path, init);
      if (answer.status !== 401) return answer;
      await answer.text();
      return attempt(await fresh.renew(credentials), path, init);
    },
    async close() {
      for (const connections of [link.connections, ...retired]) connections.destroy();
    },
  };
}

type Link = {
  credentials: Credentials;
  connections: Connections;
  /** Of the server, with its port where that is not the usual one. */
  host: string;
  /** The part of the server's path that stands before `/api`. */
  prefix: string;
};

/** Resolves with an answer's beginning; what ends its connection later is an error of its body. */
function send(
  { connections, credentials, host, prefix }: Link,
  path: string,
  { method = "GET", headers = {}, body, signal }: KubeRequest,
): Promise<IncomingMessage> {
  signal?.throwIfAborted();
  // As a flat list Node takes it over as it is.
  const lines = ["host", host, "user-agent", "sluice"];
  for (const [name, value] of Object.entries(headers)) lines.push(name, value);
  if (credentials.authorization !== undefined) lines.push("authorization", credentials.authorization);
  if (body !== undefined) lines.push("content-length", String(Buffer.byteLength(body)));
  return new Promise((resolve, reject) => {
    const request = sendRequest({ agent: connections, method, path: prefix + path, headers: lines });
    const late = () => request.destroy(new Error(`no answer within ${HEADERS_TIMEOUT_MS} ms`));
    const timer = setTimeout(late, HEADERS_TIMEOUT_MS);
    let answer: IncomingMessage | undefined;
    const abort = () => (answer ?? request).destroy(signal?.reason);
    signal?.addEventListener("abort", abort);
    request
      .once("response", (begun: IncomingMessage) => {
        clearTimeout(timer);
        answer = begun;
        resolve(begun);
      })
      .on("error", reject)
      .once("close", () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
      })
      .end(body);
  });
}

function sameWay(a: Credentials, b: Credentials): boolean {
  return a.proxy === b.proxy && JSON.stringify(a.tls) === JSON.stringify(b.tls);
}

function noAnswer(server: string, error: unknown): TypeError {
  const { message, code } = error as NodeJS.ErrnoException;
  return new TypeError(`no answer from ${server}: ${message || code}`, { cause: error });
}
