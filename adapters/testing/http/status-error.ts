import type { JsonObject } from "../json.ts";

export type StatusCause = { reason?: string; message?: string; field?: string };

export type StatusDetails = {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
};

/** An answer that is a `v1` Status: code, reason, message and details as the API server words them. */
export class StatusError extends Error {
  override readonly name = "StatusError";
  readonly code: number;
  /** Empty where the API server gives none. */
  readonly reason: string;
  readonly details: StatusDetails | undefined;
  readonly metadata: JsonObject;

  constructor(code: number, reason: string, message: string, details?: StatusDetails, metadata: JsonObject = {}) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.details = details;
    this.metadata = metadata;
  }

  body(): JsonObject {
    return {
      kind: "Status",
      apiVersion: "v1",
      metadata: this.metadata,
      status: "Failure",
      message: this.message,
      ...(this.reason && { reason: this.reason }),
      ...(this.details && { details: this.details }),
      code: this.code,
    };
  }
}

/** What errors name: a resource by its group and plural, or by its group and kind. */
export type Named = { group: string; plural: string; kind: string };

/** `documents.example.com`, or `configmaps` in the core group. */
export function qualified(group: string, name: string): string {
  return group ? `${name}.${group}` : name;
}

function detailsOf(group: string, kind: string, name: string, rest: StatusDetails = {}): StatusDetails {
  return { ...(name && { name }), ...(group && { group }), ...(kind && { kind }), ...rest };
}

export function unauthorized(): StatusError {
  return new StatusError(401, "Unauthorized", "Unauthorized");
}

export function notFound({ group, plural }: Named, name: string): StatusError {
  const message = `${qualified(group, plural)} "${name}" not found`;
  return new StatusError(404, "NotFound", message, detailsOf(group, plural, name));
}

/** A path below a group of the API's own that is not there. */
export function noSuchPath(): StatusError {
  return new StatusError(404, "NotFound", "the server could not find the requested resource", {});
}

export function alreadyExists({ group, plural }: Named, name: string, isDeleting: boolean): StatusError {
  const message = `${isDeleting ? "object is being deleted: " : ""}${qualified(group, plural)} "${name}" already exists`;
  return new StatusError(409, "AlreadyExists", message, detailsOf(group, plural, name));
}

export function conflict({ group, plural }: Pick<Named, "group" | "plural">, name: string, why: string): StatusError {
  const message = `Operation cannot be fulfilled on ${qualified(group, plural)} "${name}": ${why}`;
  return new StatusError(409, "Conflict", message, detailsOf(group, plural, name));
}

export const MODIFIED = "the object has been modified; please apply your changes to the latest version and try again";

export function badRequest(message: string): StatusError {
  return new StatusError(400, "BadRequest", message);
}

export function forbidden({ group, plural }: Named, name: string, why: string, causes?: StatusCause[]): StatusError {
  const message = `${qualified(group, plural)}${name && ` "${name}"`} is forbidden: ${why}`;
  return new StatusError(403, "Forbidden", message, detailsOf(group, plural, name, causes && { causes }));
}

/** The message names each cause once, the details name all. */
export function invalid(
  { group, kind }: Pick<Named, "group" | "kind">,
  name: string,
  causes: readonly StatusCause[],
): StatusError {
  const texts = [...new Set(causes.map(({ field, message }) => `${field}: ${message}`))];
  const list = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
  const message = `${qualified(group, kind)} "${name}" is invalid: ${list}`;
  return new StatusError(422, "Invalid", message, detailsOf(group, kind, name, { causes: [...causes] }));
}

/** @throws StatusError 422 with all causes at once. */
export function refuseIfAny(named: Pick<Named, "group" | "kind">, name: string, causes: readonly StatusCause[]): void {
  if (causes.length > 0) throw invalid(named, name, causes);
}

/** Options of a request that may not be so. */
export function refuseOptions(kind: string, causes: readonly StatusCause[]): void {
  refuseIfAny({ group: "meta.k8s.io", kind }, "", causes);
}

export function expired(message: string, metadata: JsonObject = {}): StatusError {
  return new StatusError(410, "Expired", message, undefined, metadata);
}

export function methodNotAllowed(): StatusError {
  const message = "the server does not allow this method on the requested resource";
  return new StatusError(405, "MethodNotAllowed", message, {});
}

/** What a resource of a CRD does not take. */
export function unsupportedVerb({ group, plural }: Named, verb: string): StatusError {
  const message = `${verb} is not supported on resources of kind "${qualified(group, plural)}"`;
  return new StatusError(405, "MethodNotAllowed", message, detailsOf(group, plural, ""));
}

/** @param why what is larger than which limit. */
export function tooLarge(why: string): StatusError {
  return new StatusError(413, "RequestEntityTooLarge", `Request entity too large: ${why}`);
}

export function internal(message: string): StatusError {
  const causes = [{ message }];
  return new StatusError(500, "InternalError", `Internal error occurred: ${message}`, { causes });
}

/** What the API server does not dress up: 500 without a reason. */
export function plainError(message: string): StatusError {
  return new StatusError(500, "", message);
}

export function tooManyRequests(retryAfterSeconds: number): StatusError {
  const message = "Too many requests, please try again later.";
  return new StatusError(429, "TooManyRequests", message, { retryAfterSeconds });
}

/** What this server leaves out. The real one never answers so. */
export function notServed(what: string): StatusError {
  return new StatusError(501, "NotImplemented", `the in-process API server does not serve ${what}`);
}
