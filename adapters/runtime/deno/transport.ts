import type { KubeRequest, KubeResponse, KubeTransport, Logger } from "../../../functions/ports/index.ts";
import type { CredentialSource, Credentials } from "../node/kube-config/credentials.ts";
import { freshCredentials } from "../node/kube-config/fresh-credentials.ts";
import { deno, type HttpClient, proxyOptions } from "./deno.ts";

/** The API server itself gives up after 60 s (`--request-timeout`), and then says so. */
const HEADERS_TIMEOUT_MS = 65_000;

/** Below the 60 s after which common load balancers cut an idle connection; the API server waits 90 s. */
const KEEP_ALIVE_MS = 30_000;

export type DenoTransportOptions = {
  logger?: Logger;
  /** Milliseconds of a clock that never steps. */
  monotonic?: () => number;
};

export interface DenoTransport extends KubeTransport {
  /** Ends all connections, with the requests on them. */
  close(): Promise<void>;
}

/**
 * Reaches an API server from Deno with its `fetch`, trusting the cluster's CA beside the public ones. Speaks HTTP/1.1, as on
 * Node: a connection that dies takes one watch with it. A body may be silent for as long as it likes, since a watch is; who
 * reads one sets the limit.
 * @throws Error where the credentials cannot be read or are of a kind that is not supported; a `tls-server-name` and
 * `insecure-skip-tls-verify` are none that Deno's `fetch` can follow.
 * @example const transport = await connectKube(credentialSource(process.env));
 */
export async function connectKube(
  source: CredentialSource,
  { logger, monotonic = () => performance.now() }: DenoTransportOptions = {},
): Promise<DenoTransport> {
  const checked: CredentialSource = async (refused) => supported(await source(refused));
  const fresh = await freshCredentials(checked, monotonic, logger);
  const ended = new AbortController();
  let link = openLink(await fresh.current());

  function clientFor(credentials: Credentials): HttpClient {
    if (link.credentials === credentials) return link.client;
    if (sameWay(link.credentials, credentials)) {
      link = { ...link, credentials };
    } else {
      // Requests on the old connections, as a watch, may end there.
      link.client.close();
      link = openLink(credentials);
    }
    return link.client;
  }

  async function attempt(credentials: Credentials, path: string, init: KubeRequest): Promise<KubeResponse> {
    const { method = "GET", headers, body, signal } = init;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error("no headers within 65 s")), HEADERS_TIMEOUT_MS);
    const failure = (error: unknown) => (signal?.aborted ? signal.reason : noAnswer(credentials.server, error));
    try {
      const response = await fetch(credentials.server + path, {
        method,
        headers: {
          ...headers,
          ...(credentials.authorization !== undefined && { authorization: credentials.authorization }),
          "user-agent": "sluice",
        },
        ...(body !== undefined && { body }),
        redirect: "manual",
        signal: AbortSignal.any([late.signal, ended.signal, ...(signal ? [signal] : [])]),
        ...({ client: clientFor(credentials) } as object),
      });
      return answer(response, failure);
    } catch (error) {
      throw failure(error);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async fetch(path, init = {}) {
      const credentials = await fresh.current();
      const first = await attempt(credentials, path, init);
      if (first.status !== 401) return first;
      await first.text();
      return attempt(await fresh.renew(credentials), path, init);
    },
    async close() {
      ended.abort();
      link.client.close();
    },
  };
}

type Link = { credentials: Credentials; client: HttpClient };

function openLink(credentials: Credentials): Link {
  const { tls, proxy } = credentials;
  const { ca, cert, key } = tls;
  const client = deno.createHttpClient({
    ...(ca !== undefined && { caCerts: [ca] }),
    ...(cert !== undefined && key !== undefined && { cert, key }),
    ...(proxy !== undefined && { proxy: proxyOptions(proxy) }),
    http2: false,
    poolIdleTimeout: KEEP_ALIVE_MS,
  });
  return { credentials, client };
}

function supported(credentials: Credentials): Credentials {
  const { servername, rejectUnauthorized } = credentials.tls;
  if (servername !== undefined) throw new Error("tls-server-name is not supported on Deno: run this relay on Node");
  if (rejectUnauthorized === false)
    throw new Error("insecure-skip-tls-verify is not supported on Deno: give the cluster's certificate-authority");
  return credentials;
}

function sameWay(a: Credentials, b: Credentials): boolean {
  return a.proxy === b.proxy && JSON.stringify(a.tls) === JSON.stringify(b.tls);
}

/** The answer, whose body fails as requests do. */
function answer(response: Response, failure: (error: unknown) => unknown): KubeResponse {
  const whole = async <T>(read: Promise<T>): Promise<T> => {
    try {
      return await read;
    } catch (error) {
      throw failure(error);
    }
  };
  const text = () => whole(response.text());
  const { ok, status, headers } = response;
  return {
    ...{ ok, status, headers, text, arrayBuffer: () => whole(response.arrayBuffer()) },
    get body() {
      return response.body;
    },
    json: async () => JSON.parse(await text()) as unknown,
  };
}

function noAnswer(server: string, error: unknown): TypeError {
  const { message = "" } = error as Error;
  return new TypeError(`no answer from ${server}: ${message}`, { cause: error });
}
