/** The part of Deno's own API that is used here, written out: its types would be a package for one platform. */
type DenoApi = {
  createHttpClient(options: HttpClientOptions): HttpClient;
  serve(
    options: { port: number; hostname: string; signal: AbortSignal; onListen(address: { port: number }): void },
    handler: (request: Request) => Response | Promise<Response>,
  ): { finished: Promise<void>; shutdown(): Promise<void> };
};

export type HttpClientOptions = {
  caCerts?: string[];
  cert?: string;
  key?: string;
  http2?: boolean;
  poolIdleTimeout?: number;
  proxy?: ProxyOptions;
};

type ProxyOptions = { url: string; basicAuth?: { username: string; password: string } };

/** Connections of `fetch` with trust and a certificate of their own. */
export type HttpClient = { close(): void };

/** Absent on other platforms, where nobody may call into this folder. */
export const deno: DenoApi = (globalThis as unknown as { Deno: DenoApi }).Deno;

/** User and password stand apart from the URL, which is in errors. */
export function proxyOptions(proxy: string): ProxyOptions {
  const { origin, username, password } = new URL(proxy);
  const basicAuth = { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  return { url: origin, ...(username + password !== "" && { basicAuth }) };
}
