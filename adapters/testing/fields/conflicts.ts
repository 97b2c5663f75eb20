import { type StatusCause, StatusError } from "../http/status-error.ts";
import { type FieldSet, printPath } from "./field-set.ts";
import type { Manager } from "./managed-fields.ts";

/** The 409 of an apply: which managers own which of the fields that it would change. */
export function conflictOfManagers(conflicts: readonly { manager: Manager; fields: FieldSet }[]): StatusError {
  const found = conflicts
    .map(({ manager, fields }) => ({ who: describe(manager), fields: fields.paths().map(printPath) }))
    .sort((a, b) => (a.who < b.who ? -1 : 1));
  const causes = found.flatMap(({ who, fields }): StatusCause[] =>
    fields.map((field) => ({ reason: "FieldManagerConflict", message: `conflict with ${who}`, field })),
  );
  const list =
    causes.length === 1
      ? `1 conflict: ${causes[0]!.message}: ${causes[0]!.field}`
      : `${causes.length} conflicts: ${found.map(({ who, fields }) => `conflicts with ${who}:\n- ${fields.join("\n- ")}`).join("\n")}`;
  return new StatusError(409, "Conflict", `Apply failed with ${list}`, { causes });
}

function describe({ manager, operation, apiVersion, subresource }: Manager): string {
  const part = subresource ? ` with subresource "${subresource}"` : "";
  return `"${manager}"${part}${operation === "Apply" ? "" : ` using ${apiVersion}`}`;
}
