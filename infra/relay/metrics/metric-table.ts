/** What happened, counted or measured. Labels take few values: never a key, nor the name of an object. */
export type MetricRow = { name: string; type: "counter" | "histogram"; help: string; labels: readonly string[] };

/** All that parts of the relay count and measure, a row each. What can be read off its state at any time is in `gauges.ts`. */
export const relayMetrics = {
  watchEvents: {
    name: "sluice_relay_watch_events_total",
    type: "counter",
    help: "Events of watches, bookmarks among them.",
    labels: ["resource", "type"],
  },
  relists: {
    name: "sluice_relay_watch_relists_total",
    type: "counter",
    help: "Lists that had to be made anew after the first one of a watch.",
    labels: ["resource", "cause"],
  },
  reconnects: {
    name: "sluice_relay_watch_reconnects_total",
    type: "counter",
    help: "Watches that were resumed where they had ended.",
    labels: ["resource", "cause"],
  },
  deliveries: {
    name: "sluice_relay_deliveries_total",
    type: "counter",
    help: "Batches of triggers sent to the functions, by HTTP status; error where nothing was answered.",
    labels: ["code"],
  },
  deliverySeconds: {
    name: "sluice_relay_delivery_duration_seconds",
    type: "histogram",
    help: "From sending a batch to its answer.",
    labels: [],
  },
  triggers: {
    name: "sluice_relay_triggers_total",
    type: "counter",
    help: "Triggers that the functions accepted or rejected for good, or that could not be sent at all.",
    labels: ["result"],
  },
  wakes: {
    name: "sluice_relay_wakes_total",
    type: "counter",
    help: "Times that the scheduler was woken, by HTTP status; error where nothing was answered.",
    labels: ["code"],
  },
  checkpointSaves: {
    name: "sluice_relay_checkpoint_saves_total",
    type: "counter",
    help: "Checkpoints that were saved, refused since another relay saves, or failed.",
    labels: ["result"],
  },
  gatewayRequests: {
    name: "sluice_relay_gateway_requests_total",
    type: "counter",
    help: "Requests of functions to the API server; controller and verb are empty where the caller is not known.",
    labels: ["controller", "verb", "code"],
  },
  gatewaySeconds: {
    name: "sluice_relay_gateway_request_duration_seconds",
    type: "histogram",
    help: "From the end of a request of a known caller to the beginning of its answer.",
    labels: ["controller", "verb"],
  },
} as const satisfies Record<string, MetricRow>;

type Table = typeof relayMetrics;
type Named<T extends MetricRow["type"]> = { [K in keyof Table]: Table[K]["type"] extends T ? K : never }[keyof Table];
export type LabelsOf<K extends keyof Table> = Readonly<Record<Table[K]["labels"][number], string>>;

/** What parts of the relay tell of what they do. */
export interface Metrics {
  /** It happened, once or `times`. */
  count<K extends Named<"counter">>(metric: K, labels: LabelsOf<K>, times?: number): void;
  /** It took so long. */
  took<K extends Named<"histogram">>(metric: K, labels: LabelsOf<K>, ms: number): void;
}
