import * as z from "zod";
import { label } from "../contract/index.ts";
import type { Resource } from "../kube/resource.ts";
import { anyFunction, checkShape, isDomainQualified, isLabelValue, isQualifiedName, optionsOf } from "./names.ts";
import { type Access, accessList, kind, type Owns, ownsList, type Watches, watchesList } from "./relations.ts";
import { schedulingShape } from "./scheduling.ts";

/** What is checked here; code comes untyped too, from JavaScript. */
type Options = {
  name: string;
  for: Resource;
  namespaces?: readonly string[];
  selector?: { matchLabels: Readonly<Record<string, string>> };
  owns?: readonly Owns[];
  watches?: readonly Watches[];
  access?: readonly Access[];
  finalizer?: string;
  reconcile: unknown;
  cleanup?: unknown;
  errorPolicy?: unknown;
};

const FINALIZER = "must be a domain and a name of at most 63 characters, like example.com/cleanup";

const shape = optionsOf("a controller", {
  name: dnsLabel("must be a DNS label: a-z, 0-9 and -, at most 63 characters"),
  for: kind,
  namespaces: z
    .array(dnsLabel("must be a DNS label of at most 63 characters"), "must be a list of names")
    .min(1, "must name at least 1, or be left out")
    .optional(),
  selector: optionsOf("selector", {
    matchLabels: z.record(z.string(), z.unknown(), 'must be an object of labels: { app: "web" }'),
  }).optional(),
  owns: ownsList.optional(),
  watches: watchesList.optional(),
  access: accessList.optional(),
  reconcile: anyFunction,
  finalizer: z.string(FINALIZER).refine(isDomainQualified, FINALIZER).optional(),
  cleanup: anyFunction.optional(),
  errorPolicy: anyFunction.optional(),
  ...schedulingShape,
});

/**
 * Refuses a controller that could not work, before anything is deployed. The values of scheduling options are checked where
 * they are converted.
 * @throws TypeError that names the controller, the field and the limit.
 */
export function checkOptions(options: Options): void {
  const name: unknown = (options as Options | undefined)?.name;
  const owner = `controller ${typeof name === "string" ? name : "without a name"}: `;
  const check = (holds: boolean, field: string, message: string): void => {
    if (!holds) throw new TypeError(`${owner}${field}: ${message}`);
  };
  checkShape(shape, options, owner);
  const { finalizer, cleanup } = options;
  check(finalizer === undefined || cleanup !== undefined, "cleanup", "is needed where there is a finalizer");
  check(cleanup === undefined || finalizer !== undefined, "finalizer", "is needed where there is a cleanup");
  checkSelection();
  options.owns?.forEach(checkOwns);
  options.watches?.forEach(checkWatches);
  checkUnique("owns", options.owns ?? [], ({ resource }) => nameOf(resource));
  checkUnique("watches", options.watches ?? [], (one) => `${nameOf(one.resource)} ${one.namedBy ?? one.byLabel}`);
  checkUnique("access", options.access ?? [], ({ resource }) => nameOf(resource));

  function checkSelection(): void {
    const { namespaces, selector } = options;
    check(
      namespaces === undefined || options.for.scope === "Namespaced",
      "namespaces",
      `${options.for.kind} is cluster-scoped`,
    );
    checkUnique("namespaces", namespaces ?? [], (namespace) => namespace);
    if (selector === undefined) return;
    const labels = Object.entries(selector.matchLabels);
    check(labels.length > 0, "selector.matchLabels", "must name at least 1 label");
    for (const [key, value] of labels) {
      const field = `selector.matchLabels[${JSON.stringify(key)}]`;
      check(
        isQualifiedName(key),
        field,
        "is no label key: a name of at most 63 characters, with a domain before / or not",
      );
      check(typeof value === "string" && isLabelValue(value), field, "is no label value of at most 63 characters");
    }
  }

  function checkOwns({ resource }: Owns, at: number): void {
    const outside = options.for.scope === "Namespaced" && resource.scope === "Cluster";
    check(
      !outside,
      `owns[${at}].resource`,
      `${options.for.kind} has a namespace, so it cannot own ${resource.kind}, which has none`,
    );
  }

  function checkWatches({ resource, namedBy, byLabel }: Watches, at: number): void {
    const field = `watches[${at}]`;
    check((namedBy === undefined) !== (byLabel === undefined), field, "needs namedBy or byLabel, and not both");
    const [from, to] = namedBy === undefined ? [resource, options.for] : [options.for, resource];
    check(
      from.scope === to.scope || to.scope === "Cluster",
      field,
      `a ${from.kind} has no namespace, so a name in it does not tell which ${to.kind} is meant`,
    );
  }

  function checkUnique<T>(field: string, items: readonly T[], keyOf: (item: T) => string): void {
    const seen = new Map<string, number>();
    items.forEach((item, at) => {
      const first = seen.get(keyOf(item));
      check(first === undefined, `${field}[${at}]`, `is the same as ${field}[${first}]`);
      seen.set(keyOf(item), at);
    });
  }
}

function nameOf({ group, kind }: Resource): string {
  return `${group}/${kind}`;
}

function dnsLabel(message: string): z.ZodType<string> {
  return z.custom<string>((value) => label.safeParse(value).success, message);
}
