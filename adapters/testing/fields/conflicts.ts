import { type StatusCause, StatusError } from "../http/status-error.ts";
import { type FieldSet, printPath } from "./field-set.ts";
import type { Manager } from "./managed-fields.ts";

/** The 409 of an apply: which managers own which of the fields that it would change. */
export function conflictOfManagers(conflicts: readonly { manager: Manager; fields: FieldSet }[]): StatusError {
  const causes: StatusCause[] = [];
  const groups = new Map<string, string[]>();
  for (const { manager, fields } of [...conflicts].sort((a, b) => (a.manager.manager < b.manager.manager ? -1 : 1))) {
    const who = `conflict with ${describe(manager)}`;
    for (const path of fields.paths()) {
      causes.push({ reason: "FieldManagerConflict", message: who, field: printPath(path) });
      groups.set(who, [...(groups.get(who) ?? []), printPath(path)]);
    }
  }
  const one = causes.length === 1 ? "conflict" : "conflicts";
  const texts = [...groups].map(([who, fields]) =>
    causes.length === 1 ? `${who}: ${fields[0]}` : `${who}:\n${fields.map((field) => `- ${field}`).join("\n")}`,
  );
  const list = causes.length === 1 ? texts[0] : texts.join("\n");
  return new StatusError(409, "Conflict", `Apply failed with ${causes.length} ${one}: ${list}`, { causes });
}

function describe({ manager, operation, apiVersion, subresource, time }: Manager): string {
  if (operation === "Apply") return `"${manager}"${subresource ? ` with subresource "${subresource}"` : ""}`;
  const sub = subresource ? ` with subresource "${subresource}"` : "";
  return `"${manager}"${sub} using ${apiVersion}${time ? ` at ${time}` : ""}`;
}
