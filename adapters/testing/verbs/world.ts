import type { Clock } from "../../../functions/ports/clock.ts";
import type { Registry } from "../kinds/registry.ts";
import type { Store } from "../store/store.ts";

/** All that a handler works on. */
export type World = {
  store: Store;
  registry: Registry;
  clock: Clock;
  /** Makes a uid. */
  newUid(): string;
};

/** A time as objects carry it: RFC 3339 in whole seconds. */
export function timestamp(nowMs: number): string {
  return `${new Date(nowMs).toISOString().slice(0, 19)}Z`;
}
