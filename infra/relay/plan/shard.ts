import type { Manifest } from "../../../functions/contract/index.ts";
import { hashOf } from "../checkpoint/partition.ts";

/**
 * The part of a cluster that a relay is for, where several share it (R10). Each has a Lease and a checkpoint of its own, by
 * its name.
 */
export type Shard = {
  /** Made of what it holds: replicas with the same options are of the same shard. */
  name: string;
  /** What has a namespace is watched in these only. Kinds without one are watched by every relay. */
  namespaces?: readonly string[];
  /** Primaries that these labels select. What they are related to is watched by every relay, and maps to its own primaries. */
  selector?: string;
};

/** Undefined where it is the whole cluster. */
export function shardOf(of: {
  namespaces?: readonly string[] | undefined;
  selector?: string | undefined;
}): Shard | undefined {
  if (!of.namespaces && of.selector === undefined) return undefined;
  const namespaces = of.namespaces && [...new Set(of.namespaces)].sort();
  const text = [...(namespaces ?? []), of.selector ?? ""].join(" ");
  const readable = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 40)
    .replace(/^-+|-+$/g, "");
  const hash = hashOf(JSON.stringify([namespaces ?? null, of.selector ?? null]))
    .toString(16)
    .padStart(8, "0");
  return {
    name: readable === "" ? hash : `${readable}-${hash}`,
    ...(namespaces && { namespaces }),
    ...(of.selector !== undefined && { selector: of.selector }),
  };
}

/** What a manifest asks for within a shard's namespaces. */
export function withinNamespaces(manifest: Manifest, namespaces: readonly string[] | undefined): Manifest {
  if (!namespaces) return manifest;
  return {
    ...manifest,
    controllers: manifest.controllers.map((controller) => ({
      ...controller,
      relations: controller.relations.map((relation) => {
        const { watch } = relation;
        if (watch.resource.scope === "Cluster") return relation;
        const declared = watch.namespaces;
        const shared = declared ? namespaces.filter((name) => declared.includes(name)) : [...namespaces];
        return { ...relation, watch: { ...watch, namespaces: shared } };
      }),
    })),
  };
}

const KEY = "([A-Za-z0-9.-]{1,253}/)?[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?";
const VALUE = "([A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?";
const REQUIREMENT = new RegExp(
  `^(!\\s*${KEY}|${KEY}|${KEY}\\s*(=|==|!=)\\s*${VALUE}|${KEY}\\s+(in|notin)\\s*\\(\\s*${VALUE}(\\s*,\\s*${VALUE})*\\s*\\))$`,
);

/** A label selector as kubectl takes it, each requirement without blanks around it. Undefined for what is none. */
export function readSelector(text: string): string | undefined {
  // Commas within parentheses are of one requirement.
  const requirements = text.split(/,(?![^(]*\))/).map((part) => part.trim());
  return requirements.every((part) => REQUIREMENT.test(part)) ? requirements.join(",") : undefined;
}
