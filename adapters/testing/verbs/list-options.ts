import type { ApiRequest } from "../http/request.ts";
import { badRequest, plainError, refuseOptions, type StatusCause, StatusError } from "../http/status-error.ts";
import { forbiddenValue, unsupportedValue } from "../schema/causes.ts";
import type { World } from "./world.ts";

/** The query parameters of lists and watches. */
export type ListOptions = {
  resourceVersion: string;
  match: string;
  limit: number;
  continue: string;
  timeoutSeconds: number;
  bookmarks: boolean;
  sendInitialEvents: boolean | undefined;
};

const NOT_WITH_CONTINUE = "resourceVersionMatch is forbidden when continue is provided";

/** @throws StatusError 400, 422 */
export function listOptions({ query, verb }: ApiRequest): ListOptions {
  const options: ListOptions = {
    resourceVersion: query.get("resourceVersion") ?? "",
    match: query.get("resourceVersionMatch") ?? "",
    limit: integer(query.get("limit")),
    continue: query.get("continue") ?? "",
    timeoutSeconds: integer(query.get("timeoutSeconds")),
    bookmarks: query.get("allowWatchBookmarks") === "true",
    sendInitialEvents: query.has("sendInitialEvents") ? query.get("sendInitialEvents") !== "false" : undefined,
  };
  refuseOptions("ListOptions", verb === "watch" ? watchCauses(options) : listCauses(options));
  return options;
}

function integer(text: string | null): number {
  if (!text) return 0;
  if (!/^-?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

function watchCauses({ match, sendInitialEvents, resourceVersion, continue: token }: ListOptions): StatusCause[] {
  // One from any version on counts as one that sends initial events.
  if (token && (resourceVersion === "" || resourceVersion === "0")) {
    return [forbiddenValue("resourceVersionMatch", NOT_WITH_CONTINUE)];
  }
  if (sendInitialEvents !== undefined && match !== "NotOlderThan") {
    return [
      forbiddenValue("resourceVersionMatch", "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"),
    ];
  }
  if (sendInitialEvents === undefined && match) {
    const why = "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided";
    return [forbiddenValue("resourceVersionMatch", why)];
  }
  return [];
}

function listCauses({ match, resourceVersion, sendInitialEvents, continue: token }: ListOptions): StatusCause[] {
  const causes: StatusCause[] = [];
  const forbid = (why: string) => causes.push(forbiddenValue("resourceVersionMatch", why));
  if (match) {
    if (!resourceVersion) forbid("resourceVersionMatch is forbidden unless resourceVersion is provided");
    if (token) forbid(NOT_WITH_CONTINUE);
    if (match !== "Exact" && match !== "NotOlderThan") {
      causes.push(unsupportedValue("resourceVersionMatch", match, ["Exact", "NotOlderThan", ""]));
    }
    if (match === "Exact" && resourceVersion === "0") {
      forbid('resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
    }
  }
  if (sendInitialEvents !== undefined) {
    causes.push(forbiddenValue("sendInitialEvents", "sendInitialEvents is forbidden for list"));
  }
  return causes;
}

/** The complaint about a version that is no number. */
function notNumber(text: string): string {
  const why = `strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`;
  return `resourceVersion: Invalid value: ${JSON.stringify(text)}: ${why}`;
}

/**
 * The revision that a get or a list asks for at least, 0 for any.
 * @throws StatusError 504 for one that is still to come; for what is no number 400 of a list and 500 of all else.
 */
export function readableRevision(world: World, resourceVersion: string, isList: boolean): number {
  if (!/^\d*$/.test(resourceVersion)) {
    throw isList
      ? badRequest(`invalid resource version: ${notNumber(resourceVersion)}`)
      : plainError(notNumber(resourceVersion));
  }
  const wanted = Number(resourceVersion);
  if (wanted <= world.store.revision) return wanted;
  const message = `Timeout: Too large resource version: ${wanted}, current: ${world.store.revision}`;
  throw new StatusError(504, "Timeout", message, {
    causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    retryAfterSeconds: 1,
  });
}

/**
 * The revision that a watch starts after.
 * @throws StatusError 500 for what is no number.
 */
export function watchRevision(resourceVersion: string): number {
  if (!/^\d*$/.test(resourceVersion)) throw plainError(notNumber(resourceVersion));
  return Number(resourceVersion);
}
