import { concatBytes } from "./bytes.ts";
import { SIGNATURE_TOLERANCE_SECONDS } from "./limits.ts";

/**
 * Standard Webhooks 1.0.0 on Web Crypto (X1): `webhook-id`, `webhook-timestamp`, `webhook-signature`, over the raw bytes.
 * `crypto.subtle.verify` compares in constant time.
 * @module
 */

export type SignatureHeaders = { "webhook-id": string; "webhook-timestamp": string; "webhook-signature": string };

export type Verified =
  | { ok: true; id: string; secret: string }
  | { ok: false; code: "missing-signature" | "stale-timestamp" | "bad-signature"; message: string };

/** Whether a MAC is HMAC-SHA-256 of a content under a secret, compared in constant time. */
export type CheckMac = (
  secret: string,
  mac: Uint8Array<ArrayBuffer>,
  content: Uint8Array<ArrayBuffer>,
) => boolean | Promise<boolean>;

const keys = new Map<string, Promise<CryptoKey>>();

/**
 * Signs a body with every secret given, so that a receiver that knows any of them accepts it (rotation).
 * @param secrets `whsec_` and 24 to 64 bytes in base64.
 * @throws TypeError for a secret of another form; its text is not in the message.
 * @example const headers = await sign(["whsec_…"], { id: crypto.randomUUID(), now: Date.now(), body });
 */
export async function sign(
  secrets: readonly string[],
  message: { id: string; now: number; body: Uint8Array },
): Promise<SignatureHeaders> {
  const timestamp = String(Math.floor(message.now / 1000));
  const content = signedContent(message.id, timestamp, message.body);
  const signatures = await Promise.all(
    secrets.map(async (secret) => {
      const mac = new Uint8Array(await crypto.subtle.sign("HMAC", await importKey(secret), content));
      return `v1,${btoa(String.fromCharCode(...mac))}`;
    }),
  );
  return { "webhook-id": message.id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}

const checkMac: CheckMac = async (secret, mac, content) =>
  crypto.subtle.verify("HMAC", await importKey(secret), mac, content);

/**
 * Verifies a signed body against every secret that the receiver knows, and tells which one fits.
 * @param now wall clock in milliseconds. A timestamp more than 300 s away from it is stale.
 * @param check default: Web Crypto's way, which on Node hands each MAC to another thread.
 */
export async function verify(
  secrets: readonly string[],
  headers: Headers,
  message: { now: number; body: Uint8Array },
  check: CheckMac = checkMac,
): Promise<Verified> {
  const refusal = refusalByHeaders(headers, message.now);
  if (refusal) return refusal;
  const id = headers.get("webhook-id") ?? "";
  const timestamp = headers.get("webhook-timestamp") ?? "";
  const given = headers.get("webhook-signature") ?? "";
  const content = signedContent(id, timestamp, message.body);
  for (const signature of given.split(" ").slice(0, 8)) {
    const mac = decodeBase64(signature.startsWith("v1,") ? signature.slice(3) : "");
    if (!mac) continue;
    for (const secret of secrets) if (await check(secret, mac, content)) return { ok: true, id, secret };
  }
  return { ok: false, code: "bad-signature", message: "no signature fits a secret that is known here" };
}

/** What the headers alone show: a signature that is missing or stale needs no body to be refused. */
export function refusalByHeaders(headers: Headers, now: number): Extract<Verified, { ok: false }> | undefined {
  const id = headers.get("webhook-id") ?? "";
  const timestamp = headers.get("webhook-timestamp") ?? "";
  const given = headers.get("webhook-signature") ?? "";
  if (id === "" || timestamp === "" || given === "")
    return {
      ok: false,
      code: "missing-signature",
      message: "the headers webhook-id, webhook-timestamp and webhook-signature are needed",
    };
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > SIGNATURE_TOLERANCE_SECONDS)
    return {
      ok: false,
      code: "stale-timestamp",
      message: `webhook-timestamp is more than ${SIGNATURE_TOLERANCE_SECONDS} s from now, or no number of seconds`,
    };
  return undefined;
}

/** Whether a text is a secret of the form that {@link sign} takes. */
export function isSecret(text: string): boolean {
  const bytes = text.startsWith("whsec_") ? decodeBase64(text.slice(6)) : undefined;
  return bytes !== undefined && bytes.length >= 24 && bytes.length <= 64;
}

function signedContent(id: string, timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  return concatBytes([new TextEncoder().encode(`${id}.${timestamp}.`), body]);
}

function importKey(secret: string): Promise<CryptoKey> {
  let key = keys.get(secret);
  if (!key) {
    if (!isSecret(secret)) throw new TypeError("a secret must be whsec_ and 24 to 64 bytes in base64");
    const bytes = decodeBase64(secret.slice(6))!;
    key = crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
    keys.set(secret, key);
  }
  return key;
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text === "" || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}
