import type { ProxyAgent } from "undici";
import type { Environment } from "./credentials.ts";
import { proxyOf } from "./proxy.ts";

/** What undici's `ProxyAgent` takes: user and password apart from the URL, which stands in its errors. */
function proxyOptions(proxy: string): { uri: string; token?: string } {
  const { origin, username, password } = new URL(proxy);
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { uri: origin, ...(user !== ":" && { token: `Basic ${Buffer.from(user).toString("base64")}` }) };
}

type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/**
 * A `fetch` for URLs of one origin, through the proxy that the environment names for it; the platform's own where the way is
 * direct.
 * @throws Error for a variable that names no proxy.
 * @example const ask = proxiedFetch("https://functions.example.com", process.env);
 */
export function proxiedFetch(origin: string | URL, env: Environment): Fetch {
  const proxy = proxyOf(String(origin), env);
  if (proxy === undefined) return (url, init) => fetch(url, init);
  let opened: ReturnType<typeof openProxy> | undefined;
  return async (url, init) => {
    opened ??= openProxy(proxy);
    const { send, dispatcher } = await opened;
    return send(url, { ...init, dispatcher });
  };
}

type SendThrough = (url: string, init: RequestInit & { dispatcher: ProxyAgent }) => Promise<Response>;

/** Loaded where there is a proxy only: it takes as long as all the rest of a transport. */
async function openProxy(proxy: string) {
  const { fetch, ProxyAgent } = await import("undici");
  // The package's own: the platform's is of another version, and takes no dispatcher of this one.
  return { send: fetch as unknown as SendThrough, dispatcher: new ProxyAgent(proxyOptions(proxy)) };
}
