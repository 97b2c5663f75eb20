import { MAX_ERROR_LENGTH, problem } from "../contract/index.ts";
import type { KubeResponse } from "../ports/index.ts";
import {
  BadRequestError,
  ConflictError,
  ForbiddenError,
  GoneError,
  InvalidError,
  KubeError,
  type KubeErrorInit,
  NotFoundError,
  NotServedError,
  ServerError,
  type StatusDetails,
  TooManyRequestsError,
  UnauthorizedError,
} from "./errors.ts";

/** What was asked, for an error to tell. `path` may have a query: errors leave it out. */
export type Asked = { method: string; path: string };

type Status = { reason?: string; message?: string; details?: StatusDetails };

const BY_STATUS: Record<number, typeof KubeError> = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  409: ConflictError,
  410: GoneError,
  422: InvalidError,
  429: TooManyRequestsError,
};

const SECRETS = /^\/api\/v1\/(namespaces\/[^/]+\/)?secrets(\/|$)/;

/** Answers about a Secret whose messages quote no value of it. A failed apply's does (a 500, seen on 1.36). */
const QUOTES_NOTHING = new Set([401, 403, 404, 409, 410, 429]);

/**
 * The JSON of a successful answer.
 * @throws KubeError for any other answer, and for a success that is no JSON (a proxy's page).
 */
export async function readAnswer(answer: KubeResponse, asked: Asked): Promise<unknown> {
  if (!answer.ok) throw await errorOf(answer, asked);
  try {
    return await answer.json();
  } catch (cause) {
    throw cause instanceof SyntaxError ? notKubernetes(answer, asked) : cause;
  }
}

/**
 * Reads an answer that is no success into the error of its status and reason.
 * @example if (!answer.ok) throw await errorOf(answer, { method: "GET", path });
 */
export async function errorOf(answer: KubeResponse, asked: Asked): Promise<KubeError> {
  const body = jsonIn(await answer.text());
  const status = statusIn(body);
  if (status === undefined) return notKubernetes(answer, asked, body);
  const path = withoutQuery(asked.path);
  const hidden = SECRETS.test(path) && !QUOTES_NOTHING.has(answer.status);
  const { causes, ...details } = status.details ?? {};
  const shown = hidden ? causes?.map(({ reason, field }) => ({ reason, field })) : causes;
  const message = hidden
    ? `${status.reason ?? "refused"}: the message is left out, for it may quote the Secret`
    : messageOf(status, asked);
  return errorFor({
    status: answer.status,
    reason: status.reason ?? "",
    message: `${asked.method} ${path}: ${message}`.slice(0, MAX_ERROR_LENGTH),
    details: shown === undefined ? details : { ...details, causes: shown },
    method: asked.method,
    path,
    retryAfterMs: retryAfterMs(answer, details),
  });
}

function messageOf({ message, reason, details }: Status, asked: Asked): string {
  const text = message ?? reason ?? "no message";
  // Without a cause, "the server rejected our request due to an error in our request" is all that it says.
  return reason === "Invalid" && asked.method === "PATCH" && !details?.causes?.length
    ? `${text} (a test of the patch failed or a path is not there: the object was changed or recreated)`
    : text;
}

function errorFor(init: KubeErrorInit): KubeError {
  if (init.status >= 500) return new ServerError(init);
  if (init.status === 404) return init.details?.name ? new NotFoundError(init) : new NotServedError(init);
  return new (BY_STATUS[init.status] ?? KubeError)(init);
}

/**
 * An answer that no API server gave. What our gateway says is told; what anybody else says is left out, since it may be a
 * page that quotes the request.
 */
function notKubernetes(answer: KubeResponse, asked: Asked, body?: unknown): KubeError {
  const path = withoutQuery(asked.path);
  const type = answer.headers.get("content-type") ?? "no content type";
  const refusal = problem.safeParse(body).data?.error;
  const what = refusal
    ? `${answer.status} by the gateway: ${refusal.message}`
    : `${answer.status} with ${type.slice(0, 80)}, which is no Kubernetes answer${answer.status === 404 ? "; is the kind served, and its CRD applied?" : ""}`;
  const message = `${asked.method} ${path}: ${what}`.slice(0, MAX_ERROR_LENGTH);
  const retryAfter = retryAfterMs(answer, {});
  return errorFor({ status: answer.status, reason: "", message, method: asked.method, path, retryAfterMs: retryAfter });
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function statusIn(body: unknown): Status | undefined {
  const value = body as ({ kind?: string; apiVersion?: string } & Status) | null | undefined;
  return value?.kind === "Status" && value.apiVersion === "v1" ? value : undefined;
}

/** The API server gives whole seconds; a date, which only proxies send, is not read. */
function retryAfterMs(answer: KubeResponse, details: StatusDetails): number | undefined {
  const header = answer.headers.get("retry-after") ?? "";
  const seconds = /^\d{1,7}$/.test(header) ? Number(header) : details.retryAfterSeconds;
  return typeof seconds === "number" && seconds >= 0 ? seconds * 1000 : undefined;
}

function withoutQuery(path: string): string {
  const at = path.indexOf("?");
  return at < 0 ? path : path.slice(0, at);
}
