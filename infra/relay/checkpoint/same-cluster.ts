import { backoffMs } from "../../../functions/contract/index.ts";
import type { Clock, KubeTransport, Logger } from "../../../functions/ports/index.ts";
import { askClusterUid } from "../cluster-uid.ts";
import { DELIVERY_BACKOFF } from "../deliver/delivery-backoff.ts";
import type { Identity } from "../identity.ts";
import { messageOf } from "../message.ts";
import { createPause } from "../pause.ts";

/**
 * The identity of a cluster for a relay that nobody told to be strict about it: of another one under the old name the
 * checkpoint does not count, and everything is triggered. It is asked for only to compare it, and to save it.
 */
export function sameCluster(options: {
  transport: KubeTransport;
  clock: Clock;
  logger: Logger;
  random: () => number;
}): Identity {
  const { transport, clock, logger, random } = options;
  const { promise: confirmed, resolve } = Promise.withResolvers<{ counts: boolean }>();
  const pause = createPause(clock);
  let uid: string | undefined;
  let error: string | undefined;
  let stopped = false;

  /** Undefined where the relay's account may not know it. */
  async function ask(): Promise<string | undefined> {
    const answer = await askClusterUid(transport, clock);
    if ("uid" in answer) return answer.uid;
    if ([401, 403, 404].includes(answer.status ?? 0)) return undefined;
    throw new Error(answer.error);
  }

  /** Waits for the API server, as all watches would. */
  async function compare(known: string): Promise<void> {
    for (let failures = 0; !stopped; failures++) {
      try {
        uid = await ask();
        error = undefined;
        const counts = uid === undefined || uid === known;
        if (!counts) logger.warn("the checkpoint is of another cluster of this name, everything is triggered");
        return resolve({ counts });
      } catch (cause) {
        error = messageOf(cause);
        if (!stopped) await pause.wait(backoffMs(DELIVERY_BACKOFF, failures, random()));
      }
    }
  }

  return {
    confirmed,
    told(known) {
      if (known === undefined) resolve({ counts: true });
      else void compare(known);
    },
    isRight: () => true,
    async uid() {
      uid ??= await ask().catch(() => undefined);
      return uid;
    },
    stop() {
      stopped = true;
      pause.cut();
    },
    status: () => (error === undefined ? {} : { error }),
  };
}
