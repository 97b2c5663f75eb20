/**
 * F7: a trigger for a new revision asks that revision to answer. While functions are being replaced, another one may: then
 * the key is wanted again a minute later, a few times at most.
 * @module
 */

export const REVISION_RETRY_MS = 60_000;
export const REVISION_RETRIES = 5;

/** The revision that is to answer. */
export type Asked = {
  readonly revision: string;
  /** A run that something else starts earlier uses up no retry. */
  readonly from: number;
  readonly retries: number;
};

/** What is asked for from a trigger on: the newest revision. */
export function asking(asked: Asked | undefined, revision: string | undefined, now: number): Asked | undefined {
  return revision === undefined || revision === asked?.revision ? asked : { revision, from: now, retries: 0 };
}

/** What is still asked for once a run was answered by this revision; an answer without one tells nothing. */
export function stillAsked(
  asked: Asked | undefined,
  startedAt: number,
  revision: string | undefined,
  now: number,
): Asked | undefined {
  if (!asked || revision === undefined) return asked;
  if (revision === asked.revision) return undefined;
  if (startedAt < asked.from) return asked;
  return asked.retries < REVISION_RETRIES
    ? { ...asked, from: now + REVISION_RETRY_MS, retries: asked.retries + 1 }
    : undefined;
}
