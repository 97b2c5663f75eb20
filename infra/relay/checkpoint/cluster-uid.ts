import type { Clock, KubeTransport } from "../../../functions/ports/index.ts";
import { orAborted } from "../watch/or-aborted.ts";

/** How long the API server may take. */
const TIMEOUT_MS = 10_000;

/**
 * What tells a cluster from another one under the same name: the uid of its namespace kube-system, which lives as long as the
 * cluster. Undefined where the relay's account may not read that.
 * @throws Error where the API server does not answer.
 */
export async function clusterUid(transport: KubeTransport, clock: Clock): Promise<string | undefined> {
  const controller = new AbortController();
  const cancel = clock.setTimer(TIMEOUT_MS, () => controller.abort(new Error(`no answer within ${TIMEOUT_MS} ms`)));
  try {
    const accept = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
    const asked = transport.fetch("/api/v1/namespaces/kube-system", {
      headers: { accept },
      signal: controller.signal,
    });
    const read = asked.then(async (response) => {
      const text = await response.text();
      if ([401, 403, 404].includes(response.status)) return undefined;
      if (!response.ok) throw new Error(`GET /api/v1/namespaces/kube-system: ${response.status}`);
      return (JSON.parse(text) as { metadata: { uid: string } }).metadata.uid;
    });
    return await orAborted(controller.signal, read);
  } finally {
    cancel();
  }
}
