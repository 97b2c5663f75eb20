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
    const own = withoutOthers(sortCauses(value));
    this.#collect(own, false);
    return this.#masked(own, "");
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
        } else this.#collect(inner, key === "metadata" && (list || (isObject(inner) && isMark(inner))));
      }
    }
  }

  #masked(value: unknown, key: string): unknown {
    if (typeof value === "string") return this.#text(value, key);
    if (Array.isArray(value)) {
      const items = value.map((item) => this.#masked(item, key === "cells" ? "cell" : ""));
      if (key === "verbs") return items.sort();
      if (key === "resources")
        return (items as JsonObject[]).sort((a, b) => (String(a.name) < String(b.name) ? -1 : 1));
      return key === "managedFields" ? sortManagers(items as JsonObject[]) : items;
    }
    if (!isObject(value)) return value;
    const result: JsonObject = {};
    for (const [field, inner] of Object.entries(value)) {
      if (field === "description" && value.priority !== undefined) continue;
      if (field === "storageVersionHash") continue;
      const anyVersion =
        field === "metadata" && isObject(inner) && (value.items || value.kind === "Table" || isMark(inner));
      const masked = this.#masked(inner, field);
      result[this.#text(field, "")] = anyVersion ? { ...(masked as JsonObject), resourceVersion: "<version>" } : masked;
    }
    return result;
  }

  #text(text: string, key: string): string {
    if (key === "resourceVersion")
      return text === "" || text === "0" ? text : (this.#versions.get(text) ?? "<version>");
    if (key === "continue" && text !== "") return "<continue>";
    if (key === "cell" && /^(?:\d+[ydhms])+$/.test(text)) return "<age>";
    let masked = text;
    for (const [name, stand] of this.#names) masked = masked.replaceAll(name, stand);
    for (const [uid, stand] of this.#uids) masked = masked.replaceAll(uid, stand);
    masked = masked.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "<time>");
    masked = masked.replaceAll(/(resourceVersion\\*": ?\\*")(\d+)/g, "$1<version>");
    masked = masked.replaceAll(
      /(resource ?version:? ?|ResourceVersion in (?:precondition|object meta): |current: )(\d+)/gi,
      "$1<version>",
    );
    // The order of an object's fields in a message is its encoder's; an object in full is not what is compared.
    masked = masked.replaceAll(/(patch: )?Invalid value: "\{(?:[^"\\]|\\.)*\}"/g, '$1Invalid value: "<object>"');
    masked = masked.replaceAll(/(error converting YAML to JSON: yaml: ).*/g, "$1<problem>");
    masked = masked.replaceAll(/10\.0\.0\.\d+|127\.0\.0\.1(:\d+)?/g, "<address>");
    masked = masked.replaceAll(/("?A-)[a-z0-9]{5}("?)/g, "$1<suffix>$2");
    return masked.replaceAll(/\((\d+)\)/g, "(<version>)");
  }
}

/** The API server finds the causes of a 422 in the order of a hash map. */
function sortCauses(value: unknown): unknown {
  const sorted = isObject(value) && (value.reason === "Invalid" || value.reason === "Conflict");
  const details = sorted ? value.details : undefined;
  if (!isObject(value) || !isObject(details) || !Array.isArray(details.causes)) return value;
  const textOf = (cause: JsonObject) => `${cause.field}: ${cause.message}`;
  const causes = (details.causes as JsonObject[]).toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
  const [head] = String(value.message).split(" is invalid: ");
  const message = `${head} is invalid: ${[...new Set(causes.map(textOf))].join(", ")}`;
  return { ...value, message: value.reason === "Invalid" ? message : value.message, details: { ...details, causes } };
}

/** Without what the real cluster's controllers add to Deployments on their own time. */
function withoutOthers(value: unknown): unknown {
  if (!isObject(value) || value.kind !== "Deployment" || !isObject(value.metadata)) return value;
  const { annotations: _, managedFields, ...metadata } = value.metadata;
  const entries = ((managedFields ?? []) as JsonObject[]).filter(
    ({ manager }) => manager !== "kube-controller-manager",
  );
  return { ...value, status: {}, metadata: { ...metadata, resourceVersion: "0", managedFields: entries } };
}

/** The metadata of a bookmark. */
function isMark(metadata: JsonObject): boolean {
  return metadata.name === undefined && metadata.resourceVersion !== undefined && !("continue" in metadata);
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
