import { badRequest } from "../http/status-error.ts";
import { at } from "../json.ts";
import type { ServedKind } from "../kinds/served-kind.ts";
import type { Matcher } from "./label-selector.ts";

/**
 * A field selector: `metadata.name=a,status.phase!=b`.
 * @throws StatusError 400 where the kind has no such selector.
 */
export function fieldMatcher(selector: string, kind: ServedKind): Matcher {
  const terms = (selector.match(/(?:\\.|[^,\\]|\\$)+/gs) ?? []) as string[];
  const tests = terms.map((term) => {
    const match = /^([^=!]+)(==|=|!=)(.*)$/.exec(term);
    if (!match) throw badRequest(`invalid selector: '${term}'; can't understand '${term}'`);
    const [, field, operator] = match;
    const value = unescaped(match[3]!);
    const path = selectablePath(kind, field!);
    if (!path) throw badRequest(unknownField(kind, field!));
    return { path, value, equal: operator !== "!=" };
  });
  return (object) => tests.every(({ path, value, equal }) => (String(at(object, path) ?? "") === value) === equal);
}

/** A value may hold a comma, a backslash or an equals sign behind a backslash only. */
function unescaped(value: string): string {
  return value.replaceAll(/\\?(.?)/gsu, (found, next: string) => {
    const wrong = (why: string) => badRequest(`invalid field selector: ${why}`);
    if (found.startsWith("\\") && !["\\", ",", "="].includes(next)) throw wrong(`invalid escape sequence: ${found}`);
    if (found === "=" || found === ",") throw wrong(`unescaped character in value: ${found.charCodeAt(0)}`);
    return next;
  });
}

function selectablePath(kind: ServedKind, field: string): readonly string[] | undefined {
  if (field === "metadata.name") return ["metadata", "name"];
  if (field === "metadata.namespace" && (kind.namespaced || isPlain(kind))) return ["metadata", "namespace"];
  return Object.hasOwn(kind.selectable, field) ? kind.selectable[field] : undefined;
}

function unknownField(kind: ServedKind, field: string): string {
  if (!isPlain(kind)) return `field label not supported: ${field}`;
  return `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

/** A built-in kind without field selectors of its own. */
function isPlain({ custom, selectable }: ServedKind): boolean {
  return !custom && Object.keys(selectable).length === 0;
}
