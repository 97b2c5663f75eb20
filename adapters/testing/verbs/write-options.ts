import type { ApiRequest } from "../http/request.ts";
import { refuseOptions, type StatusCause } from "../http/status-error.ts";
import { forbiddenValue, invalidValue, required, tooLong, unsupportedValue } from "../schema/causes.ts";

/** The query parameters of every write. */
export type WriteOptions = {
  dryRun: boolean;
  fieldManager: string;
  force: boolean;
  fieldValidation: "Ignore" | "Warn" | "Strict";
  /** What the answer's Warning headers say. */
  warnings: string[];
};

/** The longest name of a field manager, in bytes. The API server's own limit. */
const MAX_MANAGER = 128;

/** What no field manager may have in it: all that Go does not print. */
const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/** @throws StatusError 422 where a parameter may not be so. */
export function writeOptions(
  { query, headers }: ApiRequest,
  kind: "CreateOptions" | "UpdateOptions" | "PatchOptions",
  isApply = false,
): WriteOptions {
  const validation = query.get("fieldValidation") || "Warn";
  const manager = query.get("fieldManager") ?? "";
  const force = query.get("force");
  const causes: StatusCause[] = [];
  if (kind === "PatchOptions" && isApply && !manager) {
    causes.push(required("fieldManager", "is required for apply patch"));
  }
  if (kind === "PatchOptions" && !isApply && force !== null) {
    causes.push(forbiddenValue("force", "may not be specified for non-apply patch"));
  }
  if (manager.length > MAX_MANAGER) causes.push(tooLong("fieldManager", MAX_MANAGER));
  const hidden = [...manager].findIndex((character) => UNPRINTABLE.test(character));
  if (hidden >= 0) causes.push(unprintable(manager, hidden));
  causes.push(...dryRunCauses(query.getAll("dryRun")));
  if (!isValidation(validation)) {
    causes.push(unsupportedValue("fieldValidation", validation, ["", "Ignore", "Strict", "Warn"]));
  }
  refuseOptions(kind, causes);
  const agent = (headers.get("user-agent") ?? "").split("/")[0]!.slice(0, MAX_MANAGER);
  return {
    dryRun: query.has("dryRun"),
    fieldManager: manager || agent || "unknown",
    force: force === "true",
    fieldValidation: validation as WriteOptions["fieldValidation"],
    warnings: [],
  };
}

export function dryRunCauses(values: readonly unknown[]): StatusCause[] {
  return values.some((value) => value !== "All") ? [unsupportedValue("dryRun", values, ["All"])] : [];
}

function isValidation(value: string): boolean {
  return ["Ignore", "Warn", "Strict"].includes(value);
}

/** The cause quotes the value as Go does. */
function unprintable(manager: string, index: number): StatusCause {
  const code = [...manager][index]!.codePointAt(0)!;
  const quoted = JSON.stringify(manager).replaceAll(/\\u00([0-9a-f]{2})/g, "\\x$1");
  const detail = `invalid character U+${code.toString(16).toUpperCase().padStart(4, "0")} (at position ${index})`;
  return { ...invalidValue("fieldManager", manager, detail), message: `Invalid value: ${quoted}: ${detail}` };
}
