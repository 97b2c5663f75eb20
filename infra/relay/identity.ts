import { backoffMs } from "../../functions/contract/index.ts";
import type { Clock, KubeTransport, Logger } from "../../functions/ports/index.ts";
import { askClusterUid } from "./cluster-uid.ts";
import { messageOf } from "./message.ts";
import { createPause } from "./pause.ts";
import { WATCH_BACKOFF } from "./watch/next.ts";

/**
 * Which cluster this is: the uid of its namespace kube-system, which lives as long as the cluster does. A cluster that was
 * built anew under an old name, or an address that leads to another one, must not pass for the one that the functions know:
 * every object of it would look vanished, or new.
 * @module
 */

/** What the uid that was seen says, beside the one that was known and the one that somebody accepts. */
export type Verdict =
  /** The cluster is the one that was known. */
  | "same"
  /** None was known, and none is demanded. */
  | "first"
  /** It is the one that was accepted, and what was known of another one does not count. */
  | "accepted"
  /** It is another one than was known, or than was demanded. */
  | "other";

export function judge(seen: string, known: string | undefined, accepted: string | undefined): Verdict {
  if (seen === known) return "same";
  if (seen === accepted) return "accepted";
  return known === undefined && accepted === undefined ? "first" : "other";
}

/** How often it is asked again: an address may lead elsewhere from one moment to the next. */
export const CHECK_EVERY_MS = 600_000;
/** How often it is asked where the relay may not know, or found another one. */
export const DOUBT_EVERY_MS = 60_000;

export type IdentityOptions = {
  cluster: string;
  transport: KubeTransport;
  clock: Clock;
  logger: Logger;
  random: () => number;
  /** The uid that is accepted whatever was known. */
  accept?: string | undefined;
};

/** Asks which cluster this is, again and again. */
export interface Identity {
  /** What was known when a relay last ran; undefined where nothing is. May be told more than once. */
  told(known: string | undefined): void;
  /** Resolves once this is the right cluster, or nobody lets the relay know: whether what was known of it counts. */
  confirmed: Promise<{ counts: boolean }>;
  /** Whether it is confirmed, and nothing has spoken against it since. */
  isRight(): boolean;
  /** What is to be known from now on; undefined where nothing is. */
  uid(): Promise<string | undefined>;
  stop(): void;
  /** What is wrong. */
  status(): { error?: string };
}

export function followIdentity(options: IdentityOptions): Identity {
  const { cluster, transport, clock, logger, random, accept } = options;
  const { promise: confirmed, resolve } = Promise.withResolvers<{ counts: boolean }>();
  let isConfirmed = false;
  const pause = createPause(clock);
  let stopped = false;
  let known: string | undefined;
  let isTold = false;
  let seen: string | undefined;
  let forbidden = false;
  let verdict: Verdict | undefined;
  let error: string | undefined = "not asked yet";

  /** What can be said by now. */
  function weigh(): void {
    if (!isTold) return;
    if (seen === undefined) {
      if (forbidden) confirm(true);
      return;
    }
    const before = verdict;
    verdict = judge(seen, known, accept);
    if (verdict === "other") {
      const should = known ?? accept;
      fail(
        "error",
        `another cluster than was known as "${cluster}": the uid of its namespace kube-system is ${seen}, not ${should}. ` +
          `If it was built anew, accept it with --accept-cluster ${seen}; everything is held until then`,
      );
      return;
    }
    if (before === "other") logger.info("this is the right cluster again", { uid: seen });
    else if (before === undefined) logger.info("this is the cluster", { uid: seen, verdict });
    error = undefined;
    confirm(verdict !== "accepted");
    known = seen;
  }

  function confirm(counts: boolean): void {
    isConfirmed = true;
    resolve({ counts });
  }

  function fail(level: "warn" | "error", why: string): void {
    if (why !== error && !stopped) logger[level]("the cluster's identity is in doubt", { error: why });
    error = why;
  }

  async function follow(): Promise<void> {
    for (let failures = 0; !stopped; ) {
      const answer = await ask();
      if (stopped) return;
      const failed = "error" in answer;
      if (!failed) {
        seen = answer.uid;
        failures = 0;
        error = undefined;
      } else if (verdict !== "other") fail("warn", answer.error);
      forbidden = failed && answer.forbidden;
      weigh();
      const doubt = forbidden || verdict === "other";
      const backoff = backoffMs(WATCH_BACKOFF, failures, random());
      if (failed) failures++;
      await pause.wait(doubt ? DOUBT_EVERY_MS : failed ? backoff : CHECK_EVERY_MS);
    }
  }

  async function ask(): Promise<{ uid: string } | { error: string; forbidden: boolean }> {
    try {
      const answer = await askClusterUid(transport, clock);
      if ("uid" in answer) return answer;
      // A server without this namespace, or one that we may not ask, is no reason to stand still.
      return { error: answer.error, forbidden: answer.status === 403 || answer.status === 404 };
    } catch (cause) {
      return { error: `GET namespace kube-system: ${messageOf(cause)}`, forbidden: false };
    }
  }

  void follow();
  return {
    told(uid) {
      known = uid ?? known;
      isTold = true;
      weigh();
    },
    confirmed,
    isRight: () => isConfirmed && verdict !== "other",
    uid: async () => known,
    stop() {
      stopped = true;
      pause.cut();
    },
    status: () => (error === undefined ? {} : { error }),
  };
}
