import type { RelayStatus } from "../relay.ts";
import type { WatcherStatus } from "../watch/watcher.ts";
import type { Family, Labels, Sample } from "./exposition.ts";

/** What the relay's process tells of itself. */
export type ProcessUsage = { cpuSeconds: number; residentBytes: number; startedAtSeconds: number };

/**
 * What can be read off a relay at any time.
 * @param nowMs the wall clock.
 */
export function gaugesOf(status: RelayStatus, nowMs: number): Family[] {
  const { watches, outbox, leader, ready } = status;
  const ofWatches = (value: (watch: WatcherStatus) => number): Sample[] =>
    watches.map((watch) => ({ labels: labelsOf(watch), value: value(watch) }));
  return [
    gauge("sluice_relay_ready", "Whether nothing is wrong; /readyz tells what is.", [{ value: Number(ready) }]),
    gauge(
      "sluice_relay_watch_last_event_timestamp_seconds",
      "When the API server last sent anything, a bookmark too, which comes about every minute; 0 before the first time.",
      ofWatches(({ lastEventAgeMs }) => (lastEventAgeMs === null ? 0 : (nowMs - lastEventAgeMs) / 1_000)),
    ),
    gauge(
      "sluice_relay_watch_ready",
      "Whether it was listed, and nothing is wrong with it.",
      ofWatches(({ synced, error }) => Number(synced && error === undefined)),
    ),
    gauge(
      "sluice_relay_watch_objects",
      "Objects that are held a record of.",
      ofWatches(({ objects }) => objects),
    ),
    gauge("sluice_relay_leader", "Whether this relay leads; one that stands by delivers nothing.", [
      { value: leader.leads ? 1 : 0 },
    ]),
    gauge(
      "sluice_relay_outbox_keys",
      "Keys that wait to be delivered; of a standby, those that its leader may deliver.",
      [{ value: outbox.pending }],
    ),
    gauge("sluice_relay_outbox_oldest_seconds", "How long the oldest of them has waited.", [
      { value: (outbox.oldestAgeMs ?? 0) / 1_000 },
    ]),
  ];
}

/** @param runtime `deno 2.9.6` */
export function processFamilies(usage: ProcessUsage, build: { version: string; runtime: string }): Family[] {
  const { cpuSeconds, residentBytes, startedAtSeconds } = usage;
  const cpu = { name: "process_cpu_seconds_total", type: "counter", help: "CPU time, user and system." } as const;
  return [
    gauge("sluice_relay_build_info", "What runs here; always 1.", [{ labels: build, value: 1 }]),
    { ...cpu, samples: [{ value: cpuSeconds }] },
    gauge("process_resident_memory_bytes", "Resident memory.", [{ value: residentBytes }]),
    gauge("process_start_time_seconds", "When the process began, since 1970.", [{ value: startedAtSeconds }]),
  ];
}

/** Empty where it does not apply, so that every series of a name has the same labels. */
function labelsOf({ resource, namespace = "", labelSelector = "" }: WatcherStatus): Labels {
  return { resource, namespace, selector: labelSelector };
}

function gauge(name: string, help: string, samples: readonly Sample[]): Family {
  return { name, type: "gauge", help, samples };
}
