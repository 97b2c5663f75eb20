import type { Logger } from "../../../../functions/ports/index.ts";
import type { CredentialSource, Credentials } from "./credentials.ts";

/** Rotated tokens and CAs are taken over within this time (R9). The kubelet renews a token at 80 % of its life. */
const MAX_AGE_MS = 60_000;

/** What could not be read is not asked for again at each request. */
const RETRY_MS = 5_000;

/** What takes longer to be read, as a plugin that asks its provider, holds nobody up: what was good a minute ago mostly still is. */
const PATIENCE_MS = 1_000;

export interface FreshCredentials {
  /**
   * At most a minute old. What cannot be read any more is used as it was, and read again 5 s later; so is what takes longer
   * than a second, until it is there.
   */
  current(): Credentials | Promise<Credentials>;
  /** Read now: the API server refused these, by default those that we have. Where others were read since, those are answered. */
  renew(refused?: Credentials): Promise<Credentials>;
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
  let readingSince = 0;

  async function read(refused: boolean): Promise<Credentials> {
    try {
      const next = await source(refused);
      // The keys of one cluster must never be reconciled in another one.
      if (next.server !== held.server) throw new Error(`the server is now ${next.server}: start again to go there`);
      held = next;
      readAt = monotonic();
    } catch (error) {
      readAt = monotonic() - MAX_AGE_MS + RETRY_MS;
      logger?.warn("credentials could not be read again", { server: held.server, error: (error as Error).message });
    }
    return held;
  }

  function renew(refused: boolean): Promise<Credentials> {
    if (reading) return reading;
    readingSince = monotonic();
    reading = read(refused).finally(() => {
      reading = undefined;
    });
    return reading;
  }

  async function renewWithPatience(): Promise<Credentials> {
    const next = renew(false);
    const patience = Promise.withResolvers<Credentials>();
    const timer = setTimeout(() => patience.resolve(held), readingSince + PATIENCE_MS - monotonic());
    try {
      return await Promise.race([next, patience.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    current: () => (monotonic() - readAt < MAX_AGE_MS ? held : renewWithPatience()),
    renew: async (refused = held) => (held === refused ? renew(true) : held),
  };
}
