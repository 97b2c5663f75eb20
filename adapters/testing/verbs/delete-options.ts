import { readBody } from "../http/body.ts";
import type { ApiRequest } from "../http/request.ts";
import { refuseOptions, type StatusCause } from "../http/status-error.ts";
import { isObject, type JsonObject } from "../json.ts";
import { invalidValue, unsupportedValue } from "../schema/causes.ts";
import { dryRunCauses } from "./write-options.ts";

export type Propagation = "Background" | "Foreground" | "Orphan";

export type DeleteOptions = {
  propagation: Propagation;
  preconditions: { uid?: string; resourceVersion?: string };
  dryRun: boolean;
};

const POLICIES = ["Foreground", "Background", "Orphan"];

/** A deletion without conditions. */
export function plainDeletion(propagation: Propagation = "Background"): DeleteOptions {
  return { propagation, preconditions: {}, dryRun: false };
}

/**
 * Reads the options of a deletion from its body, or else from its query.
 * @throws StatusError 400, 422
 */
export function deleteOptions({ query, body, headers }: ApiRequest): DeleteOptions {
  const given = body ? (readBody(body, headers.get("content-type"), "").value as JsonObject) : fromQuery(query);
  const { propagationPolicy: policy, orphanDependents: orphan } = given;
  const dryRun = Array.isArray(given.dryRun) ? (given.dryRun as unknown[]) : [];
  const causes: StatusCause[] = [];
  if (policy !== undefined && orphan !== undefined) {
    const why = "orphanDependents and deletionPropagation cannot be both set";
    causes.push(invalidValue("propagationPolicy", policy, why));
  } else if (policy !== undefined && !POLICIES.includes(String(policy))) {
    causes.push(unsupportedValue("propagationPolicy", policy, [...POLICIES, "nil"]));
  }
  refuseOptions("DeleteOptions", [...causes, ...dryRunCauses(dryRun)]);
  return {
    propagation: (policy ?? (orphan === true ? "Orphan" : "Background")) as Propagation,
    preconditions: isObject(given.preconditions) ? given.preconditions : {},
    dryRun: dryRun.length > 0,
  };
}

function fromQuery(query: URLSearchParams): JsonObject {
  const orphan = query.get("orphanDependents");
  return {
    propagationPolicy: query.get("propagationPolicy") ?? undefined,
    ...(orphan !== null && { orphanDependents: orphan === "true" }),
    dryRun: query.getAll("dryRun"),
  };
}
