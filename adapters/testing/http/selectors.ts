import { at } from "../json.ts";
import type { ServedKind } from "../kinds/served-kind.ts";
import type { StoredObject } from "../store/stored-object.ts";
import { badRequest } from "./status-error.ts";

export type Matcher = (object: StoredObject) => boolean;

const REQUIREMENT =
  /^\s*(?:(!)\s*([^\s=!,()]+)|([^\s=!,()<>]+)\s*(?:(==|=|!=)\s*([^,()]*?)|\s(in|notin)\s*\(([^)]*)\)|([<>])\s*(\d+))?)\s*$/;

/**
 * A label selector: `a=b`, `a!=b`, `a in (b,c)`, `a notin (b)`, `a`, `!a`, joined by commas.
 * @throws StatusError 400 where it cannot be read.
 */
export function labelMatcher(selector: string): Matcher {
  const tests = splitOutsideBrackets(selector).map((text) => {
    const match = REQUIREMENT.exec(text);
    if (!match) throw badRequest(`unable to parse requirement: found '${text.trim()}'`);
    const [, not, absent, label, operator, value, set, values, order, bound] = match;
    const list = (values ?? value ?? "").split(",").map((item) => item.trim());
    return (labels: Record<string, string>) => {
      if (not) return !(absent! in labels);
      const own = labels[label!];
      if (operator === "!=" || set === "notin") return own === undefined || !list.includes(own);
      if (operator || set) return own !== undefined && list.includes(own);
      if (order)
        return own !== undefined && (order === ">" ? Number(own) > Number(bound) : Number(own) < Number(bound));
      return own !== undefined;
    };
  });
  return (object) => tests.every((test) => test(object.metadata.labels ?? {}));
}

/**
 * A field selector: `metadata.name=a,status.phase!=b`.
 * @throws StatusError 400 where the kind has no such selector.
 */
export function fieldMatcher(selector: string, kind: ServedKind): Matcher {
  const tests = selector
    .split(",")
    .filter((term) => term !== "")
    .map((term) => {
      const match = /^([^=!]+)(==|=|!=)(.*)$/.exec(term);
      if (!match) throw badRequest(`invalid selector: '${term}'; can't understand '${term}'`);
      const [, field, operator, value] = match;
      const path = selectablePath(kind, field!);
      if (!path) throw badRequest(unknownField(kind, field!));
      return (object: StoredObject) => (String(at(object, path) ?? "") === value) === (operator !== "!=");
    });
  return (object) => tests.every((test) => test(object));
}

function selectablePath(kind: ServedKind, field: string): readonly string[] | undefined {
  if (field === "metadata.name") return ["metadata", "name"];
  if (field === "metadata.namespace" && (kind.namespaced || kind.custom)) return ["metadata", "namespace"];
  return Object.hasOwn(kind.selectable, field) ? kind.selectable[field] : undefined;
}

function unknownField(kind: ServedKind, field: string): string {
  return kind.custom ? `field label not supported: ${field}` : `field label not supported: ${field}`;
}

function splitOutsideBrackets(selector: string): string[] {
  return selector.split(/,(?![^(]*\))/).filter((term) => term.trim() !== "");
}
