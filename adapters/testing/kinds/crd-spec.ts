import type { JsonObject } from "../json.ts";
import type { Schema } from "../schema/schema.ts";

export type CrdNames = {
  plural: string;
  singular?: string;
  kind: string;
  listKind?: string;
  shortNames?: string[];
  categories?: string[];
};

export type PrinterColumn = {
  name: string;
  type: string;
  jsonPath: string;
  format?: string;
  description?: string;
  priority?: number;
};

export type CrdVersion = {
  /** Absent only before validation. */
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  schema?: { openAPIV3Schema?: Schema };
  subresources?: {
    status?: object;
    scale?: { specReplicasPath: string; statusReplicasPath: string; labelSelectorPath?: string };
  };
  additionalPrinterColumns?: PrinterColumn[];
  selectableFields?: { jsonPath: string }[];
};

/** What a CustomResourceDefinition says. */
export type CrdSpec = {
  group: string;
  scope: string;
  names: CrdNames;
  versions: CrdVersion[];
  conversion?: JsonObject;
  preserveUnknownFields?: boolean;
};
