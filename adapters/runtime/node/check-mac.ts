import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";
import { type CheckMac, isSecret } from "../../../functions/contract/index.ts";

const keys = new Map<string, KeyObject>();

/**
 * Checks a MAC on this thread: Web Crypto hands each to another one, which takes three times the CPU for a body of 1 kB.
 * @throws TypeError for a secret of another form; its text is not in the message.
 */
export const checkMac: CheckMac = (secret, mac, content) => {
  const digest = createHmac("sha256", keyOf(secret)).update(content).digest();
  return digest.length === mac.length && timingSafeEqual(digest, mac);
};

function keyOf(secret: string): KeyObject {
  let key = keys.get(secret);
  if (!key) {
    if (!isSecret(secret)) throw new TypeError("a secret must be whsec_ and 24 to 64 bytes in base64");
    key = createSecretKey(secret.slice("whsec_".length), "base64");
    keys.set(secret, key);
  }
  return key;
}
