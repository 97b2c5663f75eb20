import { type Manifest, manifest } from "../../functions/contract/index.ts";
import type { Ingress } from "./ingress.ts";

/**
 * Asks the functions what they declare, once.
 * @throws Error that says what was answered instead, or which field does not fit.
 */
export async function fetchManifest(ingress: Ingress): Promise<Manifest> {
  const answer = await ingress.send("GET", "/manifest");
  if (answer.status !== 200)
    throw new Error(`GET /manifest: ${answer.status} ${answer.problem?.message ?? "without a body of ours"}`);
  let body: unknown;
  try {
    body = JSON.parse(answer.text);
  } catch {
    throw new Error("GET /manifest: the answer is no JSON");
  }
  const parsed = manifest.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new Error(`GET /manifest: ${issue?.path.join(".")}: ${issue?.message}`);
}
