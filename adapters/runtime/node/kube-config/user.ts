import type { TlsOptions } from "./credentials.ts";
import { type EntryPlace, readBeside, readPem, refuse } from "./entry.ts";
import type { ExecPlugin } from "./exec-plugin.ts";
import { type Cluster, type ExecConfig, execConfig, UNSUPPORTED_OF_USER, type User } from "./schema.ts";

/** What a request shows of its user. */
export type UserCredentials = { authorization: string | undefined; tls: TlsOptions };

/**
 * A user's token, password, client certificate, or what a plugin answers.
 * @param refused the API server did not take what was read before.
 * @throws Error for an authentication that is not supported, by its name: one that is left out would only show as a 401.
 */
export async function readUser(
  place: EntryPlace,
  user: User,
  { plugin, cluster, refused }: { plugin: ExecPlugin; cluster: Cluster; refused: boolean },
): Promise<UserCredentials> {
  for (const field of UNSUPPORTED_OF_USER)
    if (user[field] !== undefined && user[field] !== null)
      refuse(place, field, "is not supported: give the user a token, a client certificate or an exec plugin");
  // client-go: the file wins over the token beside it, and is read again, since something renews it.
  const token = user.tokenFile ? await readBeside(place, "tokenFile", user.tokenFile) : user.token;
  const cert = await readPem(place, user, "client-certificate");
  const key = await readPem(place, user, "client-key");
  if ((cert === undefined) !== (key === undefined))
    refuse(place, cert === undefined ? "client-certificate" : "client-key", "is missing beside its other half");
  const tls = cert !== undefined && key !== undefined ? { cert, key } : {};
  const { username, password } = user;
  const ways = { token, username: username || password, exec: user.exec };
  const [first, second] = Object.entries(ways).flatMap(([name, given]) => (given ? [name] : []));
  if (second) refuse(place, second, `stands beside ${first}: only one of them can hold`);
  if (user.exec) {
    const shown = await plugin.credentials(place, execOf(place, user.exec), { cluster, refused });
    return { authorization: shown.authorization, tls: { ...tls, ...shown.tls } };
  }
  if (ways.username) return { authorization: `Basic ${base64(`${username ?? ""}:${password ?? ""}`)}`, tls };
  return { authorization: token ? `Bearer ${token.trim()}` : undefined, tls };
}

function execOf(place: EntryPlace, given: unknown): ExecConfig {
  const result = execConfig.safeParse(given);
  if (result.success) return result.data;
  const { path, message } = result.error.issues[0]!;
  return refuse(place, ["exec", ...path].join("."), message);
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
