import type { Case } from "../case.ts";
import { access } from "./access.ts";
import { apply_ } from "./apply.ts";
import { applyCustom } from "./apply-custom.ts";
import { applyDefaults } from "./apply-defaults.ts";
import { applyMore } from "./apply-more.ts";
import { crdLifecycle } from "./crd-lifecycle.ts";
import { crdRefusals } from "./crd-refusals.ts";
import { customResources } from "./custom-resources.ts";
import { deletion } from "./deletion.ts";
import { deployments } from "./deployments.ts";
import { discovery } from "./discovery.ts";
import { formats } from "./formats.ts";
import { kinds } from "./kinds.ts";
import { limits } from "./limits.ts";
import { listBounds } from "./list-bounds.ts";
import { lists } from "./lists.ts";
import { managedFields } from "./managed-fields.ts";
import { metadata } from "./metadata.ts";
import { metadataWrites } from "./metadata-writes.ts";
import { more } from "./more.ts";
import { negotiation } from "./negotiation.ts";
import { objects } from "./objects.ts";
import { options } from "./options.ts";
import { owners } from "./owners.ts";
import { patches } from "./patches.ts";
import { services } from "./services.ts";
import { subresources } from "./subresources.ts";
import { watches } from "./watches.ts";

/** All cases, by the file that holds their recordings. */
export const groups: Record<string, readonly Case[]> = {
  objects,
  metadata,
  "metadata-writes": metadataWrites,
  limits,
  lists,
  "list-bounds": listBounds,
  watches,
  patches,
  apply: apply_,
  "apply-custom": applyCustom,
  "apply-more": applyMore,
  "apply-defaults": applyDefaults,
  "managed-fields": managedFields,
  deletion,
  owners,
  "custom-resources": customResources,
  formats,
  subresources,
  options,
  negotiation,
  kinds,
  services,
  deployments,
  "crd-lifecycle": crdLifecycle,
  "crd-refusals": crdRefusals,
  access,
  discovery,
  more,
};
