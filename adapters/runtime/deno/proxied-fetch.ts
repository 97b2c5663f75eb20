import type { Environment } from "../node/kube-config/credentials.ts";
import { proxyOf } from "../node/kube-config/proxy.ts";
import { deno, proxyOptions } from "./deno.ts";

/**
 * A `fetch` for URLs of one origin, through the proxy that the environment names for it; the platform's own where the way is
 * direct.
 * @throws Error for a variable that names no proxy.
 * @example const ask = proxiedFetch("https://functions.example.com", process.env);
 */
export function proxiedFetch(
  origin: string | URL,
  env: Environment,
): (url: string, init?: RequestInit) => Promise<Response> {
  const proxy = proxyOf(String(origin), env);
  if (proxy === undefined) return (url, init) => fetch(url, init);
  const client = deno.createHttpClient({ proxy: proxyOptions(proxy) });
  return (url, init) => fetch(url, { ...init, ...({ client } as object) });
}
