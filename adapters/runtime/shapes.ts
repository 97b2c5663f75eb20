/**
 * What the options of every runtime have in common, as schemas.
 * @module
 */
import * as z from "zod";
import { isSecret, label } from "../../functions/contract/index.ts";
import type { Controller } from "../../functions/controller/controller.ts";
import { anyFunction, oneOf } from "../../functions/controller/names.ts";
import type { LogLevel } from "./json-logger.ts";

const controller = z.custom<Controller>(
  isController,
  "must be made by defineController, which is called twice: defineController()({ … })",
);
export const controllers = z.array(controller, "must be a list of what defineController()({ … }) returns");

export const context = anyFunction
  .refine((value) => !isAsync(value), "must not be async: what it returns is taken at once")
  .optional();

const LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];
export const logLevel = oneOf(...LEVELS).optional();

export const clusterName = z.custom<string>(
  (name) => label.safeParse(name).success,
  "must be a DNS label: a-z, 0-9 and -, at most 63 characters",
);

export const gateway = z.custom<string>(
  isGateway,
  "must be an http or https URL without credentials, query and fragment",
);

export const secrets = z
  .array(z.unknown(), "must be a list of secrets")
  .refine(
    (all) => all.every((secret) => typeof secret === "string" && isSecret(secret)),
    "each must be whsec_ and 24 to 64 bytes in base64",
  );

export const NO_LIST_OF_CLUSTERS = "must return a list of clusters, and no Promise of it";

/** @throws TypeError where there is no cluster, or two have one name. */
export function checkNames(clusters: readonly { name: string }[]): void {
  if (clusters.length === 0) throw new TypeError("clusters: must name at least 1");
  for (const [index, { name }] of clusters.entries())
    if (clusters.findIndex((other) => other.name === name) !== index)
      throw new TypeError(`clusters[${index}].name: another cluster is named ${name}`);
}

function isGateway(text: unknown): boolean {
  const url = typeof text === "string" ? URL.parse(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password + url.search + url.hash === "";
}

/** By its form: it may come from another copy of the package. */
function isController(value: unknown): boolean {
  const { name, reconcile, scheduling, owns } = (value ?? {}) as Partial<Controller>;
  const whole = typeof scheduling === "object" && Array.isArray(owns);
  return whole && typeof name === "string" && typeof reconcile === "function";
}

function isAsync(value: unknown): boolean {
  return Object.prototype.toString.call(value) === "[object AsyncFunction]";
}
