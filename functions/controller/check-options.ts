import * as z from "zod";
import { label, type Predicate } from "../contract/index.ts";
import type { Resource } from "../kube/resource.ts";
import { type Check, checkPredicate } from "./check-predicate.ts";
import { checkSelection, labelSelectorOption, selectorOption } from "./check-selection.ts";
import { anyFunction, checkShape, isDomainQualified, optionsOf } from "./names.ts";
import { type Access, accessList, kind, LEADS, type Owns, ownsList, type Watches, watchesList } from "./relations.ts";
import { schedulingShape } from "./scheduling.ts";
import { isList, type LabelSelection, type Selection } from "./selection.ts";

/** What is checked here; code comes untyped too, from JavaScript. */
type Options = {
  name: string;
  for: Resource;
  namespaces?: readonly string[] | LabelSelection;
  selector?: Selection;
  predicate?: Predicate;
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
  namespaces: z.unknown().optional(),
  selector: selectorOption,
  predicate: z.unknown().optional(),
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
  const check: Check = (holds, field, message) => {
    if (!holds) throw new TypeError(`${owner}${field}: ${message}`);
  };
  checkShape(shape, options, owner);
  const { finalizer, cleanup } = options;
  check(finalizer === undefined || cleanup !== undefined, "cleanup", "is needed where there is a finalizer");
  check(cleanup === undefined || finalizer !== undefined, "finalizer", "is needed where there is a cleanup");
  checkNamespaces();
  checkSelection(options.selector, "selector", check);
  checkPredicate(options.predicate, "predicate", check);
  options.owns?.forEach(checkOwns);
  options.watches?.forEach(checkWatches);
  checkUnique("owns", options.owns ?? [], ({ resource }) => nameOf(resource));
  checkUnique(
    "watches",
    options.watches ?? [],
    (one) => `${nameOf(one.resource)} ${LEADS.map((lead) => (typeof one[lead] === "function" ? lead : one[lead]))}`,
  );
  checkUnique("access", options.access ?? [], ({ resource }) => nameOf(resource));

  function checkNamespaces(): void {
    const { namespaces } = options;
    if (namespaces === undefined) return;
    check(options.for.scope === "Namespaced", "namespaces", `${options.for.kind} is cluster-scoped`);
    check(
      typeof namespaces === "object" && namespaces !== null,
      "namespaces",
      "must be a list of names, or select them by labels",
    );
    if (!isList(namespaces)) {
      checkShape(labelSelectorOption, namespaces, owner, "namespaces");
      checkSelection(namespaces, "namespaces", check);
      return;
    }
    check(namespaces.length > 0, "namespaces", "must name at least 1, or be left out");
    for (const [at, namespace] of namespaces.entries())
      check(label.safeParse(namespace).success, `namespaces[${at}]`, "must be a DNS label of at most 63 characters");
    checkUnique("namespaces", namespaces, (namespace) => namespace);
  }

  function checkOwns({ resource, selector, predicate }: Owns, at: number): void {
    checkSelection(selector, `owns[${at}].selector`, check);
    checkPredicate(predicate, `owns[${at}].predicate`, check);
    const outside = options.for.scope === "Namespaced" && resource.scope === "Cluster";
    check(
      !outside,
      `owns[${at}].resource`,
      `${options.for.kind} has a namespace, so it cannot own ${resource.kind}, which has none`,
    );
  }

  function checkWatches(watches: Watches, at: number): void {
    const { resource, selector, namedBy, mapTo, objects } = watches;
    const field = `watches[${at}]`;
    checkSelection(selector, `${field}.selector`, check);
    checkPredicate(watches.predicate, `${field}.predicate`, check);
    check(LEADS.filter((lead) => watches[lead] !== undefined).length === 1, field, `needs one of ${LEADS.join(", ")}`);
    check(objects === undefined || mapTo !== undefined, `${field}.objects`, "says what mapTo gets, and there is none");
    if (mapTo) return;
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
