import { label } from "../../../functions/contract/index.ts";
import { missing, type OptionTable, type OptionValues } from "../option.ts";
import { ELECTION_TIMES, type ElectionTimes, RETRY_JITTER } from "./election.ts";
import type { LeaseName } from "./lease.ts";

const GROUP = "Replicas, of which one leads and the others stand by";

/** What the relay is told of its replicas, a row each. */
export const electionOptions = {
  leaderElect: {
    flag: "--leader-elect",
    variable: "SLUICE_LEADER_ELECT",
    group: GROUP,
    help: "agree with replicas on who leads, by a Lease",
    must: "true or false",
    read: (text) => ({ true: true, false: false })[text],
  },
  leaseName: {
    flag: "--lease-name <name>",
    variable: "SLUICE_LEASE_NAME",
    group: GROUP,
    help: "the Lease's; default sluice-relay, and for a part of the cluster sluice-relay-… by the part",
    must: "a DNS subdomain, at most 253 characters",
    read: (text) =>
      text.length <= 253 && text.split(".").every((part) => label.safeParse(part).success) ? text : undefined,
  },
  leaseNamespace: {
    flag: "--lease-namespace <name>",
    variable: "SLUICE_LEASE_NAMESPACE",
    group: GROUP,
    help: "the Lease's; default the relay's own namespace",
    must: "a DNS label",
    read: (text) => label.safeParse(text).data,
  },
  leaseDuration: {
    flag: "--lease-duration <time>",
    variable: "SLUICE_LEASE_DURATION",
    group: GROUP,
    help: "how long a standby waits for a leader that says nothing",
    default: `${ELECTION_TIMES.leaseDurationMs / 1_000}s`,
    must: 'whole seconds from 1s to 1h, as "15s" or "1m"',
    read: (text) => timeOf(text, 1_000, 3_600_000, 1_000),
  },
  renewDeadline: {
    flag: "--renew-deadline <time>",
    variable: "SLUICE_RENEW_DEADLINE",
    group: GROUP,
    help: "how long a leader that cannot renew the Lease goes on; less than the lease's duration",
    default: `${ELECTION_TIMES.renewDeadlineMs / 1_000}s`,
    must: 'a time from 100ms to 1h, as "10s"',
    read: (text) => timeOf(text, 100, 3_600_000),
  },
  retryPeriod: {
    flag: "--retry-period <time>",
    variable: "SLUICE_RETRY_PERIOD",
    group: GROUP,
    help: "between two renewals, or two looks of a standby; less than the renew deadline by a quarter",
    default: `${ELECTION_TIMES.retryPeriodMs / 1_000}s`,
    must: 'a time from 10ms to 1h, as "2s"',
    read: (text) => timeOf(text, 10, 3_600_000),
  },
} satisfies OptionTable;

/** How a relay takes part in an election; who it is there, its process knows. */
export type ElectionSettings = ElectionTimes & { lease: LeaseName };

/**
 * The election that the options ask for, if they do.
 * @param own the relay's own namespace. @param shard the part of the cluster that it is for.
 * @throws TypeError for times that do not fit together, and without a namespace.
 */
export function electionSettings(
  values: OptionValues<typeof electionOptions>,
  { own, shard }: { own: string | undefined; shard: string | undefined },
): ElectionSettings | undefined {
  const { leaseDuration: leaseDurationMs, renewDeadline: renewDeadlineMs, retryPeriod: retryPeriodMs } = values;
  if (renewDeadlineMs >= leaseDurationMs)
    throw new TypeError(
      "--renew-deadline (SLUICE_RENEW_DEADLINE) must be less than --lease-duration (SLUICE_LEASE_DURATION), or two would lead",
    );
  if (retryPeriodMs * (1 + RETRY_JITTER) >= renewDeadlineMs)
    throw new TypeError(
      "--retry-period (SLUICE_RETRY_PERIOD) and a quarter of it must be less than --renew-deadline (SLUICE_RENEW_DEADLINE)",
    );
  if (!values.leaderElect) return undefined;
  const namespace = values.leaseNamespace ?? own;
  if (namespace === undefined) throw missing(electionOptions.leaseNamespace, "where the Lease of --leader-elect is");
  const name = values.leaseName ?? (shard === undefined ? "sluice-relay" : `sluice-relay-${shard}`);
  return { leaseDurationMs, renewDeadlineMs, retryPeriodMs, lease: { namespace, name } };
}

const UNITS_MS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

function timeOf(text: string, minMs: number, maxMs: number, stepMs = 1): number | undefined {
  const [, amount, unit = ""] = /^(\d{1,7})(ms|s|m|h)$/.exec(text) ?? [];
  const ms = Number(amount) * (UNITS_MS[unit] ?? Number.NaN);
  return ms >= minMs && ms <= maxMs && ms % stepMs === 0 ? ms : undefined;
}
