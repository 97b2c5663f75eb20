import { partialMetadata, type Shape } from "../http/negotiation.ts";
import { badRequest, StatusError } from "../http/status-error.ts";
import type { JsonObject } from "../json.ts";
import { apiVersionOf, type ServedKind } from "../kinds/served-kind.ts";
import type { StoredObject } from "../store/stored-object.ts";
import type { Listed } from "./read.ts";
import { type Included, tableOf } from "./table.ts";

/** An object as the version that was asked for. */
export function inVersion(object: StoredObject, kind: ServedKind): StoredObject {
  const apiVersion = apiVersionOf(kind);
  const converted = kind.fromStored?.(object) ?? object;
  return converted.apiVersion === apiVersion ? converted : { ...converted, apiVersion };
}

/** Answers in the shape that a request asks for. */
export class Presenter {
  readonly #kind: ServedKind;
  readonly #shape: Shape;
  readonly #included: Included;
  readonly #now: number;

  /** @throws StatusError 400 where a table is to include what it cannot. */
  constructor(kind: ServedKind, shape: Shape, query: URLSearchParams, now: number) {
    this.#kind = kind;
    this.#shape = shape;
    this.#now = now;
    this.#included = (query.get("includeObject") || "Metadata") as Included;
    if (shape.as === "Table" && !["Metadata", "Object", "None"].includes(this.#included)) {
      const why = "must be 'Metadata', 'Object', 'None', or empty";
      const value = JSON.stringify(this.#included);
      throw badRequest(`Unable to convert to Table as requested: includeObject: Invalid value: ${value}: ${why}`);
    }
  }

  object(object: StoredObject): JsonObject {
    const converted = inVersion(object, this.#kind);
    if (this.#shape.as === "PartialObjectMetadata") return partialMetadata(converted);
    if (this.#shape.as === "PartialObjectMetadataList") throw this.#notA("list", "");
    if (this.#shape.as === "Table") {
      const { resourceVersion } = object.metadata;
      return tableOf([converted], this.#kind, { resourceVersion }, this.#included, this.#now);
    }
    return converted;
  }

  list({ objects, metadata }: Listed): JsonObject {
    const kind = this.#kind;
    const items = objects.map((object) => inVersion(object, kind));
    if (this.#shape.as === "PartialObjectMetadata") throw this.#notA("object", "List");
    if (this.#shape.as === "Table") return tableOf(items, kind, metadata, this.#included, this.#now);
    if (this.#shape.as === "PartialObjectMetadataList") {
      const apiVersion = "meta.k8s.io/v1";
      return { kind: "PartialObjectMetadataList", apiVersion, metadata, items: items.map(partialMetadata) };
    }
    const bare = kind.custom ? items : items.map(({ apiVersion: _, kind: __, ...rest }) => rest);
    const own = kind.custom ? { continue: "", ...metadata } : metadata;
    return { kind: kind.listKind, apiVersion: apiVersionOf(kind), metadata: own, items: bare };
  }

  /** A mark in a watch: nothing but a version. */
  bookmark(revision: number, annotations?: Record<string, string>): JsonObject {
    const metadata = { resourceVersion: String(revision), ...(annotations && { annotations }) };
    if (this.#shape.as === "PartialObjectMetadata") return partialMetadata({ metadata });
    return { kind: this.#kind.kind, apiVersion: apiVersionOf(this.#kind), metadata };
  }

  #notA(wanted: "list" | "object", suffix: string): StatusError {
    const { group, kind, custom } = this.#kind;
    const type = custom ? `*unstructured.Unstructured${suffix}` : `*${group.split(".")[0] || "core"}.${kind}${suffix}`;
    const is = wanted === "list" ? "not a list" : "a list";
    const message = `you requested ${this.#shape.as}, but the requested object is ${is} (${type})`;
    return new StatusError(406, "NotAcceptable", message);
  }
}
