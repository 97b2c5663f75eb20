import type { BuiltIn } from "./built-in.ts";

export const serviceAccount: BuiltIn = {
  group: "",
  version: "v1",
  kind: "ServiceAccount",
  plural: "serviceaccounts",
  shortNames: ["sa"],
  schemaName: "api.core.v1.ServiceAccount",
};
