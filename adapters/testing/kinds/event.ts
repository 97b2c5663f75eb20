import type { BuiltIn } from "./built-in.ts";

const selectable = Object.fromEntries(
  ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"].map((field) => [
    `involvedObject.${field}`,
    ["involvedObject", field],
  ]),
);

export const coreEvent: BuiltIn = {
  group: "",
  version: "v1",
  kind: "Event",
  plural: "events",
  shortNames: ["ev"],
  schemaName: "api.core.v1.Event",
  zero: { metadata: {}, involvedObject: {}, source: {}, firstTimestamp: null, lastTimestamp: null, eventTime: null },
  createOnUpdate: true,
  selectable: {
    ...selectable,
    reason: ["reason"],
    reportingComponent: ["reportingComponent"],
    source: ["source", "component"],
    type: ["type"],
  },
};

export const event: BuiltIn = {
  ...coreEvent,
  group: "events.k8s.io",
  schemaName: "api.events.v1.Event",
  resource: "events.events.k8s.io",
};
