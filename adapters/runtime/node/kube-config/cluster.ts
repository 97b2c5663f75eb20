import type { TlsOptions } from "./credentials.ts";
import { type EntryPlace, readPem, refuse } from "./entry.ts";
import type { Cluster } from "./schema.ts";

/** Where an API server is, and how its certificate is checked. */
export async function readCluster(place: EntryPlace, cluster: Cluster): Promise<{ server: string; tls: TlsOptions }> {
  if (cluster["proxy-url"] !== undefined) refuse(place, "proxy-url", "is not supported");
  const { origin, pathname, username, password } = new URL(cluster.server);
  if (username !== "" || password !== "") refuse(place, "server", "must not hold a user or a password");
  const ca = await readPem(place, cluster, "certificate-authority");
  const servername = cluster["tls-server-name"];
  return {
    server: origin + pathname.replace(/\/+$/, ""),
    tls: {
      ...(ca !== undefined && { ca }),
      ...(servername && { servername }),
      ...(cluster["insecure-skip-tls-verify"] && { rejectUnauthorized: false }),
    },
  };
}
