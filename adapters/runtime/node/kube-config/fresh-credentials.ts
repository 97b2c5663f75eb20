import type { Logger } from "../../../../functions/ports/index.ts";
import type { CredentialSource, Credentials } from "./credentials.ts";

/** Rotated tokens and CAs are taken over within this time (R9). The kubelet renews a token at 80 % of its life. */
const MAX_AGE_MS = 60_000;

export interface FreshCredentials {
  /** At most a minute old. What cannot be read any more is used as it was, and read again at the next call. */
  current(): Credentials | Promise<Credentials>;
  /** Read now: the API server refused those that we have. */
  renew(): Promise<Credentials>;
}

/**
 * Reads credentials for the first time, and again as they age.
 * @throws Error of the source, where they cannot be read at the start.
 */
export async function freshCredentials(
  source: CredentialSource,
  monotonic: () => number,
  logger: Logger | undefined,
): Promise<FreshCredentials> {
  let held = await source();
  let readAt = monotonic();
  let reading: Promise<Credentials> | undefined;

  async function read(): Promise<Credentials> {
    try {
      const next = await source();
      // The keys of one cluster must never be reconciled in another one.
      if (next.server !== held.server) throw new Error(`the server is now ${next.server}: start again to go there`);
      held = next;
      readAt = monotonic();
    } catch (error) {
      logger?.warn("credentials could not be read again", { server: held.server, error: (error as Error).message });
    }
    return held;
  }

  const renew = () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return reading;
  };

  return { current: () => (monotonic() - readAt < MAX_AGE_MS ? held : renew()), renew };
}
