import { builtInSchema } from "../schema/built-in.ts";
import { ageColumn, nameColumn } from "./columns.ts";
import { configMap } from "./config-map.ts";
import { customResourceDefinition } from "./custom-resource-definition.ts";
import { deployment } from "./deployment.ts";
import { coreEvent, event } from "./event.ts";
import { lease } from "./lease.ts";
import { namespace } from "./namespace.ts";
import { networkPolicy } from "./network-policy.ts";
import { secret } from "./secret.ts";
import type { ServedKind } from "./served-kind.ts";
import { service } from "./service.ts";
import { serviceAccount } from "./service-account.ts";

/** What a built-in kind says of itself; the rest follows from it. */
export type BuiltIn = Pick<ServedKind, "group" | "version" | "kind" | "plural"> & {
  schemaName: string;
} & Partial<ServedKind>;

function complete({ schemaName, ...kind }: BuiltIn): ServedKind {
  return {
    singular: kind.kind.toLowerCase(),
    listKind: `${kind.kind}List`,
    shortNames: [],
    categories: [],
    namespaced: true,
    resource: kind.group ? `${kind.plural}.${kind.group}` : kind.plural,
    schema: builtInSchema(schemaName),
    custom: false,
    zero: { metadata: {} },
    status: false,
    keptByStatus: [],
    generation: "none",
    unconditionalUpdate: true,
    createOnUpdate: false,
    columns: [nameColumn, ageColumn],
    selectable: {},
    ...kind,
  };
}

/** The built-in kinds that are served. */
export const builtInKinds: readonly ServedKind[] = [
  configMap,
  secret,
  namespace,
  serviceAccount,
  service,
  coreEvent,
  event,
  lease,
  deployment,
  networkPolicy,
  customResourceDefinition,
].map(complete);
