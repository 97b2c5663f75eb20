import type { Environment, TlsOptions } from "./credentials.ts";
import { type EntryPlace, readPem, refuse } from "./entry.ts";
import { isProxyUrl, proxyOf } from "./proxy.ts";
import type { Cluster } from "./schema.ts";

/** Where an API server is, how its certificate is checked, and through which proxy it is reached. */
export async function readCluster(
  place: EntryPlace,
  cluster: Cluster,
  env: Environment,
): Promise<{ server: string; tls: TlsOptions; proxy?: string }> {
  const { origin, pathname, username, password } = new URL(cluster.server);
  if (username !== "" || password !== "") refuse(place, "server", "must not hold a user or a password");
  const ca = await readPem(place, cluster, "certificate-authority");
  const servername = cluster["tls-server-name"];
  const unchecked = cluster["insecure-skip-tls-verify"];
  if (unchecked && ca !== undefined)
    refuse(place, "insecure-skip-tls-verify", "stands beside a certificate-authority: only one of them can hold");
  const ownProxy = cluster["proxy-url"];
  if (ownProxy && !isProxyUrl(ownProxy)) refuse(place, "proxy-url", "must be an http or https URL");
  const proxy = ownProxy || proxyOf(origin, env);
  return {
    server: origin + pathname.replace(/\/+$/, ""),
    tls: {
      ...(ca !== undefined && { ca }),
      ...(servername && { servername }),
      ...(unchecked && { rejectUnauthorized: false }),
    },
    ...(proxy && { proxy }),
  };
}
