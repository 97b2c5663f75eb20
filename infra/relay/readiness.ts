import type { WatcherStatus } from "./watch/watcher.ts";

/** One thing that has to be right for the relay to be ready. */
export type Check = {
  /** `delivery`, `watch of secrets in team-a` */
  name: string;
  /** Why it is not; absent where it is. */
  reason?: string;
};

/** @param reason undefined where it is right. */
export function checkOf(name: string, reason: string | undefined): Check {
  return { name, ...(reason !== undefined && { reason }) };
}

/** A watch is right when it was listed and nothing is wrong with it. */
export function watchCheck(status: WatcherStatus): Check {
  const { resource, namespace, labelSelector, synced, error } = status;
  const where = [
    resource,
    ...(namespace === undefined ? [] : [`in ${namespace}`]),
    ...(labelSelector === undefined ? [] : [`where ${labelSelector}`]),
  ];
  return checkOf(`watch of ${where.join(" ")}`, error ?? (synced ? undefined : "not listed yet"));
}

/** What is not right, a line each. */
export function reasonsOf(checks: readonly Check[]): string[] {
  return checks.flatMap(({ name, reason }) => (reason === undefined ? [] : [`${name}: ${reason}`]));
}
