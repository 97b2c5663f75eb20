/**
 * The name of a part: the first 24 bytes of the SHA-256 of its bytes, in base64url.
 * @example await partName(new TextEncoder().encode("{}")) // "RBNvo1WzZ4oRRq0W9-hknpT7T8If536D"
 */
export async function partName(bytes: Uint8Array): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>));
  const text = btoa(String.fromCharCode(...hash.subarray(0, 24)));
  return text.replaceAll("+", "-").replaceAll("/", "_");
}
