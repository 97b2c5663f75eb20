import { checkpointAnswer, MAX_PART_BYTES } from "../../../functions/contract/index.ts";
import type { Ingress, IngressAnswer } from "../deliver/ingress.ts";
import { refusedBy, unanswered } from "../deliver/verdict.ts";

/** The functions keep no checkpoints: they are of a version without the route, or have no store. */
export class NotKept extends Error {
  override name = "NotKept";
}

/** A request that may be answered another time. */
export class Failed extends Error {
  override name = "Failed";
  readonly retryAfterMs: number;

  constructor(refused: { error: string; retryAfterMs: number }) {
    super(refused.error);
    this.retryAfterMs = refused.retryAfterMs;
  }
}

/** The parts of one cluster's checkpoint, as the ingress keeps them. All throw {@link NotKept} and {@link Failed}. */
export interface Parts {
  /** Undefined where it is not stored. */
  get(name: string): Promise<string | undefined>;
  /** False where an index follows another one than is stored. */
  put(name: string, bytes: Uint8Array): Promise<boolean>;
}

/** @param shard the part of the cluster whose relay asks; relays with different ones see nothing of each other. */
export function partsOf(cluster: string, ingress: Ingress, shard?: string): Parts {
  const query = shard === undefined ? "" : `?shard=${shard}`;

  async function ask(method: "GET" | "PUT", name: string, body?: Uint8Array): Promise<IngressAnswer> {
    const path = `/checkpoint/${cluster}/${name}${query}`;
    let answer: IngressAnswer;
    try {
      answer = await ingress.send(method, path, body);
    } catch (cause) {
      throw new Failed(unanswered(cause));
    }
    const { status, problem } = answer;
    if (status === 404 && problem?.code === "not-found") throw new NotKept();
    const expected =
      status === 200 || (status === 404 && problem?.code === "not-stored") || (status === 412 && problem);
    if (!expected) throw new Failed(refusedBy(`${method} /checkpoint`, answer));
    return answer;
  }

  return {
    async get(name) {
      const { status, text } = await ask("GET", name);
      // What is longer was put by nobody.
      return status === 200 && text.length <= MAX_PART_BYTES ? text : undefined;
    },
    async put(name, bytes) {
      const { status, text } = await ask("PUT", name, bytes);
      if (status !== 200) return false;
      if (!isStored(text))
        throw new Failed({ error: "PUT /checkpoint: 200 without a body of our ingress", retryAfterMs: 0 });
      return true;
    },
  };
}

function isStored(text: string): boolean {
  try {
    return checkpointAnswer.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}
