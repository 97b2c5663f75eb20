import { isObject, type JsonObject } from "../json.ts";

/**
 * A set of fields, as managedFields keep it. An element of a path is written as there: `f:name` a field,
 * `k:{"name":"a"}` an item of a list by its keys, `v:"a"` an item by its value.
 */
export class FieldSet {
  readonly members = new Set<string>();
  readonly children = new Map<string, FieldSet>();

  static of(fieldsV1: unknown): FieldSet {
    const set = new FieldSet();
    if (!isObject(fieldsV1)) return set;
    for (const [element, inner] of Object.entries(fieldsV1)) {
      if (element === ".") continue;
      const child = FieldSet.of(inner);
      if (!child.isEmpty()) set.children.set(element, child);
      if (child.isEmpty() || (isObject(inner) && "." in inner)) set.members.add(element);
    }
    return set;
  }

  isEmpty(): boolean {
    return this.members.size === 0 && this.children.size === 0;
  }

  insert(path: readonly string[]): void {
    const [element, ...rest] = path;
    if (element === undefined) return;
    if (rest.length === 0) {
      this.members.add(element);
      return;
    }
    const child = this.children.get(element) ?? new FieldSet();
    this.children.set(element, child);
    child.insert(rest);
  }

  union(other: FieldSet): FieldSet {
    const result = new FieldSet();
    for (const element of [...this.members, ...other.members]) result.members.add(element);
    for (const element of new Set([...this.children.keys(), ...other.children.keys()])) {
      const [a, b] = [this.children.get(element), other.children.get(element)];
      result.children.set(element, a && b ? a.union(b) : (a ?? b)!);
    }
    return result;
  }

  intersection(other: FieldSet): FieldSet {
    const result = new FieldSet();
    for (const element of this.members) if (other.members.has(element)) result.members.add(element);
    for (const [element, child] of this.children) {
      const both = other.children.get(element)?.intersection(child);
      if (both && !both.isEmpty()) result.children.set(element, both);
    }
    return result;
  }

  difference(other: FieldSet): FieldSet {
    const result = new FieldSet();
    for (const element of this.members) if (!other.members.has(element)) result.members.add(element);
    for (const [element, child] of this.children) {
      const theirs = other.children.get(element);
      const rest = theirs ? child.difference(theirs) : child;
      if (!rest.isEmpty()) result.children.set(element, rest);
    }
    return result;
  }

  /** As `difference`, but a member of `other` takes all that lies below it too. */
  without(other: FieldSet): FieldSet {
    const result = new FieldSet();
    for (const element of this.members) if (!other.members.has(element)) result.members.add(element);
    for (const [element, child] of this.children) {
      if (other.members.has(element)) continue;
      const theirs = other.children.get(element);
      const rest = theirs ? child.without(theirs) : child;
      if (!rest.isEmpty()) result.children.set(element, rest);
    }
    return result;
  }

  /** Every path, in the order in which they are written down. */
  paths(prefix: readonly string[] = []): string[][] {
    const paths: string[][] = [];
    for (const element of this.#ordered()) {
      if (this.members.has(element)) paths.push([...prefix, element]);
      paths.push(...(this.children.get(element)?.paths([...prefix, element]) ?? []));
    }
    return paths;
  }

  toFieldsV1(): JsonObject {
    const result: JsonObject = {};
    for (const element of this.#ordered()) {
      const child = this.children.get(element)?.toFieldsV1() ?? {};
      result[element] = this.members.has(element) && this.children.has(element) ? { ".": {}, ...child } : child;
    }
    return result;
  }

  #ordered(): string[] {
    return [...new Set([...this.members, ...this.children.keys()])].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  }
}

/** A path as error messages show it: `.spec.ports[port=80,protocol="TCP"].name`. */
export function printPath(path: readonly string[]): string {
  return path.map(printElement).join("");
}

function printElement(element: string): string {
  const text = element.slice(2);
  if (element.startsWith("f:")) return `.${text}`;
  if (element.startsWith("v:")) return `[=${text}]`;
  if (element.startsWith("i:")) return `[${text}]`;
  const keys = Object.entries(JSON.parse(text) as JsonObject);
  return `[${keys.map(([key, value]) => `${key}=${JSON.stringify(value)}`).join(",")}]`;
}
