/**
 * The Lease of `coordination.k8s.io/v1` by which replicas agree on who leads. What is written keeps every field that is not
 * ours: labels, and what later versions of Kubernetes add.
 * @module
 */

/** As much of a Lease as is looked at; the rest is carried along. */
export type Lease = {
  metadata: { name: string; namespace: string; resourceVersion?: string; [field: string]: unknown };
  spec?: LeaseSpec;
  [field: string]: unknown;
};

export type LeaseSpec = {
  /** Absent or empty: nobody. */
  holderIdentity?: string;
  /** How long others wait after they saw a change of it. */
  leaseDurationSeconds?: number;
  acquireTime?: string;
  renewTime?: string;
  /** How often it passed to another holder. */
  leaseTransitions?: number;
  [field: string]: unknown;
};

/** Where a Lease is. */
export type LeaseName = { namespace: string; name: string };

/**
 * The Lease as `identity` holds it from `wallMs` on: taken anew, or renewed where it held it already.
 * @param known as it was read last, undefined where there is none: then it is to be created.
 */
export function heldLease(
  known: Lease | undefined,
  { name, namespace }: LeaseName,
  holder: { identity: string; durationMs: number; wallMs: number },
): Lease {
  const spec = known?.spec ?? {};
  const now = microTime(holder.wallMs);
  const held = {
    holderIdentity: holder.identity,
    leaseDurationSeconds: Math.ceil(holder.durationMs / 1_000),
    renewTime: now,
  };
  if (!known)
    return {
      ...{ apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name, namespace } },
      spec: { ...held, acquireTime: now, leaseTransitions: 0 },
    };
  if (spec.holderIdentity === holder.identity) return { ...known, spec: { ...spec, ...held } };
  const leaseTransitions = (spec.leaseTransitions ?? 0) + 1;
  return { ...known, spec: { ...spec, ...held, acquireTime: now, leaseTransitions } };
}

/** The Lease as nobody holds it, so that the next one need not wait. One second, since the API server takes no less. */
export function releasedLease(known: Lease, wallMs: number): Lease {
  return {
    ...known,
    spec: { ...known.spec, holderIdentity: "", leaseDurationSeconds: 1, renewTime: microTime(wallMs) },
  };
}

/** Who holds it, if anybody. */
export function holderOf(lease: Lease | undefined): string | undefined {
  return lease?.spec?.holderIdentity || undefined;
}

/**
 * Kubernetes' MicroTime, which takes six digits and nothing else.
 * @example microTime(0) // "1970-01-01T00:00:00.000000Z"
 */
export function microTime(wallMs: number): string {
  return new Date(wallMs).toISOString().replace("Z", "000Z");
}
