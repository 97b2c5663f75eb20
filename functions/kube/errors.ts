import type { ResourceRef } from "../contract/index.ts";

/** The part of a `v1` Status that says what the API server talks about. */
export type StatusDetails = {
  name?: string;
  group?: string;
  /** The plural of a kind that was not found, the kind itself of an object that is invalid. */
  kind?: string;
  uid?: string;
  causes?: { reason?: string; message?: string; field?: string }[];
  retryAfterSeconds?: number;
};

export type KubeErrorInit = {
  /** HTTP status. */
  status: number;
  /** Kubernetes' reason in one word (`NotFound`, `AlreadyExists`); empty where the answer was no Status. */
  reason: string;
  message: string;
  details?: StatusDetails;
  method: string;
  /** Without the query. */
  path: string;
  retryAfterMs?: number;
};

/** An answer of the API server that is no success. Its subclasses tell the ones that code may want to branch on. */
export class KubeError extends Error {
  override name = "KubeError";
  /** HTTP status. */
  readonly status: number;
  /** Kubernetes' reason in one word (`NotFound`, `AlreadyExists`); empty where the answer was no Status. */
  readonly reason: string;
  readonly details: StatusDetails | undefined;
  readonly method: string;
  /** The path that was asked for, without its query. */
  readonly path: string;
  /** How long the API server asks to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(init: KubeErrorInit) {
    super(init.message);
    this.status = init.status;
    this.reason = init.reason;
    this.details = init.details;
    this.method = init.method;
    this.path = init.path;
    this.retryAfterMs = init.retryAfterMs;
  }
}

/** 400. */
export class BadRequestError extends KubeError {
  override name = "BadRequestError";
}

/** 401: the credentials are unknown or expired. */
export class UnauthorizedError extends KubeError {
  override name = "UnauthorizedError";
}

/** 403: RBAC, admission, or a namespace that is being deleted. */
export class ForbiddenError extends KubeError {
  override name = "ForbiddenError";
}

/** 404 of an object: the Status names it. To know that it is the object you asked for, use {@link isAbsent}. */
export class NotFoundError extends KubeError {
  override name = "NotFoundError";
}

/** Any other 404: a kind or version that is not served, or a proxy's answer. It says nothing about an object (F2). */
export class NotServedError extends KubeError {
  override name = "NotServedError";
}

/** 409: `AlreadyExists`, or `Conflict` with a uid, a resourceVersion or another field manager. */
export class ConflictError extends KubeError {
  override name = "ConflictError";
}

/** 410: a resourceVersion or a page token that is too old. */
export class GoneError extends KubeError {
  override name = "GoneError";
}

/** 422: the object breaks its schema, or a `test` of a JSON patch failed. `details.causes` name the fields. */
export class InvalidError extends KubeError {
  override name = "InvalidError";
}

/** 429. */
export class TooManyRequestsError extends KubeError {
  override name = "TooManyRequestsError";
}

/** 500 and above. */
export class ServerError extends KubeError {
  override name = "ServerError";
}

/** The run's deadline has passed: the request was not sent (S5). */
export class DeadlineError extends Error {
  override name = "DeadlineError";
}

/** An object that does not fit its kind's schema (F9). */
export class MisfitError extends Error {
  override name = "MisfitError";
  /** The field that does not fit: `spec.title`. */
  readonly path: string;

  constructor(path: string, message: string) {
    super(`${path}: ${message}`);
    this.path = path;
  }
}

/**
 * Whether an error proves that this object does not exist (F2): a Status with the reason NotFound that names it. Any other
 * 404 (a route, a version that is not served, a tunnel) is no proof.
 * @example if (isAbsent(error, { resource: ConfigMap, name: "a" })) return;
 */
export function isAbsent(error: unknown, object: { resource: ResourceRef; name: string }): boolean {
  if (!(error instanceof NotFoundError) || error.reason !== "NotFound") return false;
  const { name, kind, group = "" } = error.details ?? {};
  return name === object.name && kind === object.resource.plural && group === object.resource.group;
}
