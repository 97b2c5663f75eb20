import { concatBytes, problemOf } from "../contract/index.ts";
import { Refusal } from "./refusal.ts";

/**
 * The raw bytes of a body, counted as they come: no header is believed, and no more is kept than the limit (X3).
 * @throws Refusal 413 past the limit, 400 where the sender breaks off.
 */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array> {
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      size += read.value.length;
      if (size > maxBytes) break;
      chunks.push(read.value);
    }
  } catch {
    throw new Refusal(400, problemOf("malformed", "the body broke off", { field: "body" }));
  }
  if (size > maxBytes) {
    reader.cancel().catch(() => {});
    const limit = `${maxBytes} bytes`;
    throw new Refusal(413, problemOf("too-large", `the body is larger than ${limit}`, { field: "body", limit }));
  }
  return concatBytes(chunks);
}
