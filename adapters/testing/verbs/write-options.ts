import type { ApiRequest } from "../http/request.ts";
import { badRequest, invalid } from "../http/status-error.ts";

/** The query parameters of every write. */
export type WriteOptions = {
  dryRun: boolean;
  fieldManager: string;
  force: boolean;
  fieldValidation: "Ignore" | "Warn" | "Strict";
  /** What the answer's Warning headers say. */
  warnings: string[];
};

/** @throws StatusError 400 or 422 where a parameter has no known value. */
export function writeOptions(
  request: ApiRequest,
  options: "CreateOptions" | "UpdateOptions" | "PatchOptions",
): WriteOptions {
  const { query, headers } = request;
  const dryRun = query.getAll("dryRun");
  const causes = dryRun
    .filter((value) => value !== "All")
    .map((value) => ({
      reason: "FieldValueNotSupported",
      message: `Unsupported value: ${JSON.stringify(value)}: supported values: "All"`,
      field: "dryRun",
    }));
  const named = { group: "meta.k8s.io", plural: "", kind: options };
  if (causes.length > 0) throw invalid(named, "", causes);
  const fieldValidation = query.get("fieldValidation") || "Warn";
  if (!isValidation(fieldValidation)) {
    throw badRequest(
      `fieldValidation: Unsupported value: ${JSON.stringify(fieldValidation)}: supported values: "Ignore", "Strict", "Warn"`,
    );
  }
  const agent = (headers.get("user-agent") ?? "").split("/")[0]!.slice(0, 128);
  return {
    dryRun: dryRun.length > 0,
    fieldManager: query.get("fieldManager") || agent || "unknown",
    force: query.get("force") === "true",
    fieldValidation,
    warnings: [],
  };
}

function isValidation(value: string): value is WriteOptions["fieldValidation"] {
  return ["Ignore", "Warn", "Strict"].includes(value);
}
