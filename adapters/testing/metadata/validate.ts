import type { ObjectMeta, OwnerReference } from "../../../functions/kube/resource.ts";
import type { StatusCause } from "../http/status-error.ts";
import type { ServedKind } from "../kinds/served-kind.ts";
import { forbiddenValue, invalidValue, required, tooLong } from "../schema/causes.ts";
import type { StoredObject } from "../store/stored-object.ts";
import { labelProblems, labelValueProblems, qualifiedNameProblems, subdomainProblems } from "./names.ts";

/** The bytes of all keys and values of an object's annotations. */
const MAX_ANNOTATIONS = 262_144;

const OWN_FINALIZERS = new Set(["orphan", "foregroundDeletion", "kubernetes"]);

/** What is wrong with an object's metadata. */
export function metadataCauses({ metadata }: StoredObject, kind: ServedKind): StatusCause[] {
  return [
    ...nameCauses(metadata, kind),
    ...labelCauses(metadata.labels),
    ...annotationCauses(metadata.annotations),
    ...ownerCauses(metadata.ownerReferences ?? []),
    ...finalizerCauses(metadata.finalizers ?? [], kind),
  ];
}

function nameCauses({ name }: ObjectMeta, kind: ServedKind): StatusCause[] {
  if (!name) return [required("metadata.name", "name or generateName is required")];
  const isLabel = kind.resource === "services" || kind.resource === "namespaces";
  const problems = isLabel ? labelProblems(name) : subdomainProblems(name);
  return problems.map((problem) => invalidValue("metadata.name", name, problem));
}

function labelCauses(labels: Record<string, string> = {}): StatusCause[] {
  const path = "metadata.labels";
  return Object.entries(labels).flatMap(([key, value]) => [
    ...qualifiedNameProblems(key).map((problem) => invalidValue(path, key, problem)),
    ...labelValueProblems(value).map((problem) => invalidValue(path, value, problem)),
  ]);
}

function annotationCauses(annotations: Record<string, string> = {}): StatusCause[] {
  const path = "metadata.annotations";
  const causes = Object.keys(annotations).flatMap((key) =>
    qualifiedNameProblems(key.toLowerCase()).map((problem) => invalidValue(path, key, problem)),
  );
  const size = Object.entries(annotations).reduce((sum, [key, value]) => sum + key.length + value.length, 0);
  return size > MAX_ANNOTATIONS ? [...causes, tooLong(path, MAX_ANNOTATIONS)] : causes;
}

function ownerCauses(owners: readonly OwnerReference[]): StatusCause[] {
  const path = "metadata.ownerReferences";
  const causes = owners.flatMap((owner) => {
    const empty = (field: "kind" | "name" | "uid") =>
      owner[field] ? [] : [invalidValue(`${path}.${field}`, "", "must not be empty")];
    const own = [
      ...(owner.apiVersion ? [] : [invalidValue(`${path}.apiVersion`, "", "version must not be empty")]),
      ...empty("kind"),
      ...empty("name"),
      ...empty("uid"),
    ];
    if (owner.kind === "Event" && owner.apiVersion === "v1") {
      own.push(invalidValue(path, shown(owner), "/v1, Kind=Event is disallowed from being an owner"));
    }
    return own;
  });
  const controllers = owners.filter((owner) => owner.controller);
  if (controllers.length > 1) {
    const [first, second] = controllers.map(({ kind, name }) => `${kind}/${name}`);
    const why = `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${second}`;
    causes.push(invalidValue(path, owners.map(shown), why));
  }
  return causes;
}

/** A reference with its fields in the order of the API's type. */
function shown({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: OwnerReference): OwnerReference {
  return {
    apiVersion,
    kind,
    name,
    uid,
    ...(controller !== undefined && { controller }),
    ...(blockOwnerDeletion !== undefined && { blockOwnerDeletion }),
  };
}

function finalizerCauses(finalizers: readonly string[], kind: ServedKind): StatusCause[] {
  const path = "metadata.finalizers";
  const both = finalizers.includes("orphan") && finalizers.includes("foregroundDeletion");
  const causes = finalizers.flatMap((finalizer, index) => {
    const problems = qualifiedNameProblems(finalizer).map((problem) => invalidValue(path, finalizer, problem));
    if (problems.length > 0 || kind.custom || finalizer.includes("/") || OWN_FINALIZERS.has(finalizer)) return problems;
    const why = "name is neither a standard finalizer name nor is it fully qualified";
    return [invalidValue(`${path}[${index}]`, finalizer, why)];
  });
  const apart = "finalizer orphan and foregroundDeletion cannot be both set";
  return both ? [...causes, invalidValue(path, finalizers, apart)] : causes;
}

/** What of an update's metadata may not be. */
export function metadataUpdateCauses(next: StoredObject, live: StoredObject): StatusCause[] {
  const [given, own] = [next.metadata, live.metadata];
  const causes: StatusCause[] = [];
  for (const field of ["uid", "deletionTimestamp", "deletionGracePeriodSeconds"] as const) {
    if (given[field] !== undefined && given[field] !== own[field]) {
      causes.push(invalidValue(`metadata.${field}`, given[field], "field is immutable"));
    }
  }
  const added = (given.finalizers ?? []).filter((finalizer) => !own.finalizers?.includes(finalizer));
  if (own.deletionTimestamp && added.length > 0) {
    const list = added.map((finalizer) => JSON.stringify(finalizer)).join(", ");
    const why = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
    causes.push(forbiddenValue("metadata.finalizers", why));
  }
  return causes;
}

/** What a client is warned of. */
export function metadataWarnings(given: ObjectMeta, kind: ServedKind): string[] {
  const warnings = (kind.custom ? (given.finalizers ?? []) : [])
    .filter((finalizer) => !finalizer.includes("/") && !OWN_FINALIZERS.has(finalizer))
    .map((finalizer) => {
      const why = "prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers";
      return `metadata.finalizers: ${JSON.stringify(finalizer)}: ${why}`;
    });
  const uids = (given.ownerReferences ?? []).map(({ uid }) => uid);
  const twice = [...new Set(uids.filter((uid, index) => uids.indexOf(uid) !== index))];
  if (twice.length > 0) {
    warnings.push(
      `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${twice.join(", ")}`,
    );
  }
  return warnings;
}

/** Equal references count once. */
export function withoutDuplicateOwners(metadata: ObjectMeta): ObjectMeta {
  const owners = metadata.ownerReferences;
  if (!owners) return metadata;
  const seen = new Set<string>();
  const ownerReferences = owners.filter((owner) => {
    const text = JSON.stringify(shown(owner));
    return !seen.has(text) && seen.add(text);
  });
  return { ...metadata, ownerReferences };
}
