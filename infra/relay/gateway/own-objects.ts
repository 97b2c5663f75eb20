import type { Ask } from "./ask.ts";
import { Refusal } from "./refusal.ts";

/** Where the relay keeps what signs requests, and what tells which relay leads. */
const OWN = new Set(["/secrets", "coordination.k8s.io/leases"]);

/**
 * Keeps functions from every Secret and Lease in the relay's own namespace, whatever was declared and whatever RBAC says
 * (X2). By namespace and not by name: tokens and certificates of the relay are in Secrets beside the one that it is told of.
 * @param namespace the relay's own; undefined where it runs in no cluster, and so has neither.
 * @returns the request, where it lists all namespaces without those objects.
 * @throws Refusal 403
 */
export function withoutOwn(ask: Ask, namespace: string | undefined): Ask {
  const { target, verb, query } = ask;
  if (namespace === undefined || !OWN.has(`${target.group}/${target.plural}`)) return ask;
  if (target.namespace === namespace || (target.namespace === undefined && verb !== "list")) {
    const message = `${target.plural} in ${namespace}, the relay's own namespace, are out of reach for functions`;
    throw new Refusal(403, "relay-own", message, { field: "path" });
  }
  if (target.namespace !== undefined) return ask;
  // Ours comes first: a backslash at the end of theirs would make the comma between them part of a value.
  const selectors = [`metadata.namespace!=${namespace}`, query.get("fieldSelector") ?? ""].filter(Boolean);
  const narrowed = new URLSearchParams(query);
  narrowed.set("fieldSelector", selectors.join(","));
  return { ...ask, query: narrowed };
}
