type JsonObject = Record<string, unknown>;

/**
 * Replaces what differs from run to run. Equal uids and versions stay equal within a case, so that a comparison sees which
 * object is meant and whether its version moved.
 */
export class Mask {
  readonly #uids = new Map<string, string>();
  readonly #versions = new Map<string, string>();
  readonly #names: [string, string][];

  /** @param names run's own names, and what stands for them. */
  constructor(names: Record<string, string>) {
    this.#names = Object.entries(names);
  }

  apply(value: unknown): unknown {
    this.#collect(value, false);
    return this.#masked(value, "");
  }

  #collect(value: unknown, inList: boolean): void {
    if (Array.isArray(value)) for (const item of value) this.#collect(item, false);
    else if (isObject(value)) {
      const list = Array.isArray(value.items) || value.kind === "Table";
      for (const [key, inner] of Object.entries(value)) {
        if (key === "uid" && typeof inner === "string" && /^[0-9a-f-]{36}$/.test(inner))
          number(this.#uids, inner, "uid");
        else if (key === "resourceVersion" && typeof inner === "string" && /^\d+$/.test(inner) && !inList) {
          number(this.#versions, inner, "version");
        } else this.#collect(inner, list && key === "metadata");
      }
    }
  }

  #masked(value: unknown, key: string): unknown {
    if (typeof value === "string") return this.#text(value, key);
    if (Array.isArray(value)) {
      const items = value.map((item) => this.#masked(item, ""));
      return key === "managedFields" ? sortManagers(items as JsonObject[]) : items;
    }
    if (!isObject(value)) return value;
    const result: JsonObject = {};
    for (const [field, inner] of Object.entries(value)) {
      if (field === "description" && value.priority !== undefined) continue;
      if (field === "x-kubernetes-validations") continue;
      result[this.#text(field, "")] = this.#masked(inner, field);
    }
    return result;
  }

  #text(text: string, key: string): string {
    if (key === "resourceVersion")
      return text === "" || text === "0" ? text : (this.#versions.get(text) ?? "<version>");
    if (key === "continue" && text !== "") return "<continue>";
    let masked = text;
    for (const [name, stand] of this.#names) masked = masked.replaceAll(name, stand);
    for (const [uid, stand] of this.#uids) masked = masked.replaceAll(uid, stand);
    masked = masked.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "<time>");
    masked = masked.replaceAll(/(resourceVersion\\*": ?\\*")(\d+)/g, "$1<version>");
    masked = masked.replaceAll(
      /(resource ?version:? ?|ResourceVersion in (?:precondition|object meta): |current: )(\d+)/gi,
      "$1<version>",
    );
    masked = masked.replaceAll(/("?A-)[a-z0-9]{5}("?)/g, "$1<suffix>$2");
    return masked.replaceAll(/\((\d+)\)/g, "(<version>)");
  }
}

function number(map: Map<string, string>, value: string, what: string): void {
  if (!map.has(value)) map.set(value, `<${what} ${map.size + 1}>`);
}

/** The order of entries depends on the second of their writes; here it is by what they are. */
function sortManagers(entries: JsonObject[]): JsonObject[] {
  const keyOf = (entry: JsonObject) =>
    JSON.stringify([entry.operation, entry.subresource, entry.manager, entry.apiVersion]);
  return entries.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
