import { label } from "../contract/index.ts";
import type { Resource } from "../kube/resource.ts";
import { isDomainQualified, isFieldPath, isLabelValue, isQualifiedName } from "./names.ts";
import { type Access, type Owns, VERBS, type Watches } from "./relations.ts";

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

const KNOWN = new Set(
  "name for namespaces selector owns watches access reconcile finalizer cleanup errorPolicy concurrency debounce timeout backoff budget".split(
    " ",
  ),
);

/**
 * Refuses a controller that could not work, before anything is deployed. Scheduling options are checked where they are
 * converted.
 * @throws TypeError that names the controller, the field and the limit.
 */
export function checkOptions(options: Options): void {
  const check = (holds: boolean, field: string, message: string): void => {
    if (!holds) throw new TypeError(`controller ${String(options.name)}: ${field}: ${message}`);
  };
  check(label.safeParse(options.name).success, "name", "must be a DNS label: a-z, 0-9 and -, at most 63 characters");
  for (const field of Object.keys(options)) check(KNOWN.has(field), field, "is no option of a controller");
  checkResource(options.for, "for");
  checkFunctions();
  checkSelection();
  options.owns?.forEach(checkOwns);
  options.watches?.forEach(checkWatches);
  options.access?.forEach(checkAccess);
  checkUnique("owns", options.owns ?? [], ({ resource }) => nameOf(resource));
  checkUnique("watches", options.watches ?? [], (one) => `${nameOf(one.resource)} ${one.namedBy ?? one.byLabel}`);
  checkUnique("access", options.access ?? [], ({ resource }) => nameOf(resource));

  function checkResource(resource: Resource | undefined, field: string): void {
    const texts = [resource?.version, resource?.kind, resource?.plural];
    const served =
      texts.every((text) => typeof text === "string" && text !== "") && typeof resource?.group === "string";
    const scoped = resource?.scope === "Namespaced" || resource?.scope === "Cluster";
    check(served && scoped, field, "must be a kind: one of sluice/kinds, or a customResource");
  }

  function checkFunctions(): void {
    check(typeof options.reconcile === "function", "reconcile", "must be a function");
    check(
      options.errorPolicy === undefined || typeof options.errorPolicy === "function",
      "errorPolicy",
      "must be a function",
    );
    const { finalizer, cleanup } = options;
    check(finalizer === undefined || cleanup !== undefined, "cleanup", "is needed where there is a finalizer");
    check(cleanup === undefined || finalizer !== undefined, "finalizer", "is needed where there is a cleanup");
    check(cleanup === undefined || typeof cleanup === "function", "cleanup", "must be a function");
    check(
      finalizer === undefined || isDomainQualified(finalizer),
      "finalizer",
      "must be a domain and a name of at most 63 characters, like example.com/cleanup",
    );
  }

  function checkSelection(): void {
    const { namespaces, selector } = options;
    check(
      namespaces === undefined || options.for.scope === "Namespaced",
      "namespaces",
      `${options.for.kind} is cluster-scoped`,
    );
    check(namespaces === undefined || namespaces.length > 0, "namespaces", "must name at least 1, or be left out");
    namespaces?.forEach((namespace, at) => {
      check(label.safeParse(namespace).success, `namespaces[${at}]`, "must be a DNS label of at most 63 characters");
    });
    checkUnique("namespaces", namespaces ?? [], (namespace) => namespace);
    if (selector === undefined) return;
    const labels = Object.entries(selector.matchLabels ?? {});
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

  function checkOwns({ resource, ownWrites, owner }: Owns, at: number): void {
    const field = `owns[${at}]`;
    checkResource(resource, `${field}.resource`);
    check([undefined, "trigger", "ignore"].includes(ownWrites), `${field}.ownWrites`, 'must be "trigger" or "ignore"');
    check([undefined, "controller", "any"].includes(owner), `${field}.owner`, 'must be "controller" or "any"');
    const outside = options.for.scope === "Namespaced" && resource.scope === "Cluster";
    check(
      !outside,
      `${field}.resource`,
      `${options.for.kind} has a namespace, so it cannot own ${resource.kind}, which has none`,
    );
  }

  function checkWatches({ resource, namedBy, byLabel }: Watches, at: number): void {
    const field = `watches[${at}]`;
    checkResource(resource, `${field}.resource`);
    check((namedBy === undefined) !== (byLabel === undefined), field, "needs namedBy or byLabel, and not both");
    const [from, to] = namedBy === undefined ? [resource, options.for] : [options.for, resource];
    check(
      from.scope === to.scope || to.scope === "Cluster",
      field,
      `a ${from.kind} has no namespace, so a name in it does not tell which ${to.kind} is meant`,
    );
    if (namedBy !== undefined)
      check(
        isFieldPath(namedBy),
        `${field}.namedBy`,
        "must be a field path like .spec.secretName, at most 253 characters",
      );
    if (byLabel !== undefined)
      check(
        isQualifiedName(byLabel),
        `${field}.byLabel`,
        "must be a label key: a name of at most 63 characters, with a domain before / or not",
      );
  }

  function checkAccess({ resource, verbs }: Access, at: number): void {
    checkResource(resource, `access[${at}].resource`);
    check(verbs?.length > 0, `access[${at}].verbs`, "must name at least 1 verb");
    for (const verb of verbs)
      check(VERBS.includes(verb), `access[${at}].verbs`, `${verb} is none of ${VERBS.join(", ")}`);
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
