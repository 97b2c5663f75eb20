/**
 * Bytes one after the other, as a signature covers them and as a body comes.
 * @example concatBytes([new TextEncoder().encode("id.1767225600."), body])
 */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
