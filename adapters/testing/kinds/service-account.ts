import type { BuiltIn } from "./built-in.ts";
import { ageColumn, nameColumn } from "./columns.ts";

export const serviceAccount: BuiltIn = {
  group: "",
  version: "v1",
  kind: "ServiceAccount",
  plural: "serviceaccounts",
  shortNames: ["sa"],
  schemaName: "api.core.v1.ServiceAccount",
  columns: [
    nameColumn,
    {
      name: "Secrets",
      type: "string",
      value: (object) => String((object.secrets as unknown[] | undefined)?.length ?? 0),
    },
    ageColumn,
  ],
};
