import type { TlsOptions } from "./credentials.ts";
import { type EntryPlace, readBeside, readPem, refuse } from "./entry.ts";
import { UNSUPPORTED_OF_USER, type User } from "./schema.ts";

/**
 * A user's token, client certificate, or both.
 * @throws Error for an authentication that is not supported, by its name: one that is left out would only show as a 401.
 */
export async function readUser(
  place: EntryPlace,
  user: User,
): Promise<{ authorization: string | undefined; tls: TlsOptions }> {
  for (const field of UNSUPPORTED_OF_USER)
    if (user[field] !== undefined && user[field] !== null)
      refuse(place, field, "is not supported: give the user a token, a tokenFile or a client certificate");
  // client-go: the file wins over the token beside it, and is read again, since something renews it.
  const token = user.tokenFile ? await readBeside(place, "tokenFile", user.tokenFile) : user.token;
  const cert = await readPem(place, user, "client-certificate");
  const key = await readPem(place, user, "client-key");
  if ((cert === undefined) !== (key === undefined))
    refuse(place, cert === undefined ? "client-certificate" : "client-key", "is missing beside its other half");
  return {
    authorization: token ? `Bearer ${token.trim()}` : undefined,
    tls: cert !== undefined && key !== undefined ? { cert, key } : {},
  };
}
