import type { StatusCause } from "../http/status-error.ts";
import { isObject } from "../json.ts";
import { invalidValue } from "../schema/causes.ts";
import type { StoredObject } from "../store/stored-object.ts";
import type { BuiltIn } from "./built-in.ts";
import { ageColumn, fieldColumn, nameColumn } from "./columns.ts";

export const lease: BuiltIn = {
  group: "coordination.k8s.io",
  version: "v1",
  kind: "Lease",
  plural: "leases",
  schemaName: "api.coordination.v1.Lease",
  zero: { metadata: {}, spec: {} },
  createOnUpdate: true,
  unconditionalUpdate: false,
  validate: (object) => leaseCauses(object),
  columns: [nameColumn, fieldColumn("Holder", ["spec", "holderIdentity"]), ageColumn],
};

function leaseCauses({ spec: given }: StoredObject): StatusCause[] {
  const spec = isObject(given) ? given : {};
  const causes: StatusCause[] = [];
  const { leaseDurationSeconds: duration, leaseTransitions: transitions } = spec;
  if (typeof duration === "number" && duration <= 0) {
    causes.push(invalidValue("spec.leaseDurationSeconds", duration, "must be greater than 0"));
  }
  if (typeof transitions === "number" && transitions < 0) {
    causes.push(invalidValue("spec.leaseTransitions", transitions, "must be greater than or equal to 0"));
  }
  return causes;
}
