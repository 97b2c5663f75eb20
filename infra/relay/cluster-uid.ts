import { errorOf } from "../../functions/kube/answer.ts";
import type { Clock, KubeTransport } from "../../functions/ports/index.ts";
import { orAborted } from "./watch/or-aborted.ts";

/** How long an answer may take. */
export const ASK_TIMEOUT_MS = 10_000;

const PATH = "/api/v1/namespaces/kube-system";
const METADATA_ONLY = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";

/** The uid, or why there is none; the status where it is another one than 200. */
export type AskedUid = { uid: string } | { error: string; status?: number };

/**
 * What tells a cluster from another one under the same name: the uid of its namespace kube-system, which lives as long as the
 * cluster.
 * @throws Error where the API server does not answer.
 */
export async function askClusterUid(transport: KubeTransport, clock: Clock): Promise<AskedUid> {
  const late = new AbortController();
  const cancel = clock.setTimer(ASK_TIMEOUT_MS, () => late.abort(new Error(`no answer within ${ASK_TIMEOUT_MS} ms`)));
  const { signal } = late;
  const ask = async (): Promise<AskedUid> => {
    const answer = await transport.fetch(PATH, { headers: { accept: METADATA_ONLY }, signal });
    if (answer.status !== 200) {
      const { status, message } = await errorOf(answer, { method: "GET", path: PATH });
      return { error: `${status} ${message}`, status };
    }
    const { metadata } = (await answer.json()) as { metadata?: { uid?: unknown } };
    if (typeof metadata?.uid === "string" && metadata.uid !== "") return { uid: metadata.uid };
    return { error: "the namespace kube-system has no uid" };
  };
  try {
    return await orAborted(signal, ask());
  } finally {
    cancel();
  }
}
