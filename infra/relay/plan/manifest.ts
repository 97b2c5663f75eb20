import { type Manifest, manifest } from "../../../functions/contract/index.ts";
import type { Ingress } from "../deliver/ingress.ts";

export type Fetched = {
  manifest: Manifest;
  /** Its entity tag, where the functions gave one. */
  tag?: string;
};

/**
 * Asks the functions what they declare, once.
 * @param known what they declared when they were asked last: given back where it is still so (R12).
 * @throws Error that says what was answered instead, or which field does not fit.
 */
export async function fetchManifest(ingress: Ingress, known?: Fetched): Promise<Fetched> {
  const headers: Record<string, string> = known?.tag === undefined ? {} : { "if-none-match": known.tag };
  const answer = await ingress.send("GET", "/manifest", undefined, headers);
  if (answer.status === 304 && known) return known;
  if (answer.status !== 200)
    throw new Error(`GET /manifest: ${answer.status} ${answer.problem?.message ?? "without a body of ours"}`);
  let body: unknown;
  try {
    body = JSON.parse(answer.text);
  } catch {
    throw new Error("GET /manifest: the answer is no JSON");
  }
  const tag = answer.headers.get("etag");
  const parsed = manifest.safeParse(body);
  if (parsed.success) return { manifest: parsed.data, ...(tag === null ? undefined : { tag }) };
  const issue = parsed.error.issues[0];
  throw new Error(`GET /manifest: ${issue?.path.join(".")}: ${issue?.message}`);
}
