import type { Manifest } from "../../../functions/contract/index.ts";

/**
 * Which manifest the relay goes by (R12): a new one once it has been the functions' for a minute, so that neither a
 * deployment on its way nor one that is taken back starts a re-reconcile. Pure; instants are of the monotonic clock.
 * @module
 */

/** How long a revision has to stand before it is adopted. */
export const STABLE_MS = 60_000;

export type Adoption = Readonly<{
  /** What the watches come from; absent before the first manifest, which is adopted as it comes. */
  adopted?: Manifest;
  /** Another one, and since when nothing else was seen. */
  candidate?: Readonly<{ manifest: Manifest; sinceMs: number }>;
}>;

/** The manifest that was fetched, or is still the one that was fetched last. */
export function manifestSeen({ adopted, candidate }: Adoption, seen: Manifest, nowMs: number): Adoption {
  if (!adopted) return { adopted: seen };
  if (seen.revision === adopted.revision) return { adopted };
  if (seen.revision !== candidate?.manifest.revision) return { adopted, candidate: { manifest: seen, sinceMs: nowMs } };
  return nowMs - candidate.sinceMs >= STABLE_MS ? { adopted: candidate.manifest } : { adopted, candidate };
}

/** The revision that any answer of the ingress told: while another one than the candidate answers, it is not stable. */
export function revisionTold(state: Adoption, revision: string, nowMs: number): Adoption {
  const { candidate } = state;
  if (!candidate || revision === candidate.manifest.revision) return state;
  return { ...state, candidate: { ...candidate, sinceMs: nowMs } };
}
