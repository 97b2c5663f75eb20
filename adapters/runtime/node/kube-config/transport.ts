import { type Dispatcher, Pool, ProxyAgent } from "undici";
import type { KubeRequest, KubeTransport, Logger } from "../../../../functions/ports/index.ts";
import type { CredentialSource, Credentials } from "./credentials.ts";
import { freshCredentials } from "./fresh-credentials.ts";
import { proxyOptions } from "./proxy-fetch.ts";
import { NodeResponse } from "./response.ts";

/** The API server itself gives up after 60 s (`--request-timeout`), and then says so. */
const HEADERS_TIMEOUT_MS = 65_000;

/** Below the 60 s after which common load balancers cut an idle connection; the API server waits 90 s. */
const KEEP_ALIVE_MS = 30_000;

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
  const retired = new Set<Dispatcher>();

  function open(credentials: Credentials): Link {
    if (credentials.tls.rejectUnauthorized === false)
      logger?.warn("the API server's certificate is not checked: anybody on the way can read and change what is said", {
        server: credentials.server,
      });
    return openLink(credentials);
  }

  function linkFor(credentials: Credentials): Link {
    if (link.credentials === credentials) return link;
    if (sameWay(link.credentials, credentials)) {
      link = { ...link, credentials };
    } else {
      retire(link.pool);
      link = open(credentials);
    }
    return link;
  }

  /** Requests on the old connections, as a watch, may end there. */
  function retire(pool: Dispatcher): void {
    retired.add(pool);
    void pool.close().finally(() => retired.delete(pool));
  }

  async function attempt(credentials: Credentials, path: string, init: KubeRequest): Promise<NodeResponse> {
    const { pool, origin, prefix } = linkFor(credentials);
    const { method = "GET", headers, body, signal } = init;
    const failure = (error: unknown) => (signal?.aborted ? signal.reason : noAnswer(credentials.server, error));
    try {
      const data = await pool.request({
        origin,
        method: method as Dispatcher.HttpMethod,
        path: prefix + path,
        headers: { ...headers, authorization: credentials.authorization, "user-agent": "sluice" },
        body,
        signal,
      });
      return new NodeResponse(data, failure);
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
      await Promise.all([link.pool, ...retired].map((pool) => pool.destroy()));
    },
  };
}

type Link = {
  credentials: Credentials;
  pool: Dispatcher;
  origin: string;
  /** The part of the server's path that stands before `/api`. */
  prefix: string;
};

function openLink(credentials: Credentials): Link {
  const { server, tls, proxy } = credentials;
  const { origin, pathname } = new URL(server);
  const options = {
    allowH2: false,
    headersTimeout: HEADERS_TIMEOUT_MS,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
  };
  const pool = proxy
    ? new ProxyAgent({ ...options, ...proxyOptions(proxy), requestTls: tls })
    : new Pool(origin, { ...options, connect: tls });
  return { credentials, pool, origin, prefix: pathname === "/" ? "" : pathname };
}

function sameWay(a: Credentials, b: Credentials): boolean {
  return a.proxy === b.proxy && JSON.stringify(a.tls) === JSON.stringify(b.tls);
}

function noAnswer(server: string, error: unknown): TypeError {
  const { message = "" } = error as Error;
  return new TypeError(`no answer from ${server}: ${message}`, { cause: error });
}
