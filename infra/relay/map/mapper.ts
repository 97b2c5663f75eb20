import * as z from "zod";
import {
  API_VERSION,
  backoffMs,
  type ControllerManifest,
  MAX_MAP_OBJECTS,
  type MapRequest,
  mapAnswer,
} from "../../../functions/contract/index.ts";
import type { KubeObject } from "../../../functions/kube/resource.ts";
import type { Clock, Logger } from "../../../functions/ports/index.ts";
import { DELIVERY_BACKOFF } from "../deliver/delivery-backoff.ts";
import type { Ingress } from "../deliver/ingress.ts";
import { refusedBy } from "../deliver/verdict.ts";
import { messageOf } from "../message.ts";
import { createPause, type Pause } from "../pause.ts";
import type { PlannedRelation } from "../plan/plan.ts";
import { idsOf } from "./mapped-keys.ts";

/** An object whose keys a controller's code is to tell. */
export type Unmapped = {
  relation: PlannedRelation;
  id: string;
  object: KubeObject;
  /** The object is gone: this is the last that was seen of it. */
  deleted: boolean;
  /**
   * The code has told.
   * @param ids of the primaries.
   * @param newest nothing newer of the object waits to be told.
   */
  answered(ids: readonly string[], newest: boolean): void;
};

export type MapperStatus = {
  /** Objects that wait to be told. */
  pending: number;
  /** Why some wait, by relation: `documents/watches/Service`. */
  errors: readonly { relation: string; error: string }[];
};

/**
 * Asks the functions for the keys of mappings by code (R5): of each object the newest state waits, however long the functions
 * are away; what fails is asked again, for ever.
 */
export interface Mapper {
  ask(item: Unmapped): void;
  /** Forgets what waits for relations that are declared no longer. */
  retain(routes: ReadonlySet<string>): void;
  stop(): void;
  status(): MapperStatus;
}

/** Each result is judged by itself, so that one that makes no sense holds no other. */
const envelope = mapAnswer.extend({ results: z.array(z.unknown()) });

/** A batch is cut where it is larger; one object may still be as large as the API server takes. */
const MAX_BATCH_BYTES = 1_048_576;

/** `documents/watches/Service`: how a relation by code is named, unique in its manifest. */
export function routeOf({ controller, route }: Pick<PlannedRelation, "controller" | "route">): string {
  return `${controller}/${route}`;
}

/** The routes that a controller declares. */
export function routesOf({ name, relations }: ControllerManifest): string[] {
  const byCode = relations.filter(({ mapping }) => mapping.by === "code");
  return byCode.map(({ id }) => routeOf({ controller: name, route: id }));
}

type Route = {
  name: string;
  path: string;
  waiting: Map<string, Unmapped>;
  /** Those that the code could not tell of, until they are asked again. */
  failed: Map<string, Unmapped>;
  /** Those that are being asked about just now. */
  underWay: number;
  running: boolean;
  returning: boolean;
  failures: number;
  retries: number;
  retry: Pause;
  pause: Pause;
  /** Most objects of the next batch: one that fails as a whole is halved, so that one object cannot hold all others. */
  limit: number;
  error?: string | undefined;
};

export type MapperOptions = { cluster: string; ingress: Ingress; clock: Clock; logger: Logger; random: () => number };

export function createMapper({ cluster, ingress, clock, logger, random }: MapperOptions): Mapper {
  const routes = new Map<string, Route>();
  let stopped = false;

  function routeFor({ relation }: Unmapped): Route {
    const name = routeOf(relation);
    const found = routes.get(name);
    if (found) return found;
    const route: Route = {
      name,
      path: `/map/${relation.controller}/${encodeURIComponent(relation.route!)}`,
      waiting: new Map(),
      failed: new Map(),
      underWay: 0,
      running: false,
      returning: false,
      failures: 0,
      retries: 0,
      retry: createPause(clock),
      pause: createPause(clock),
      limit: MAX_MAP_OBJECTS,
    };
    routes.set(name, route);
    return route;
  }

  function wake(route: Route): void {
    if (route.running || stopped || route.waiting.size === 0) return;
    route.running = true;
    void run(route);
  }

  async function run(route: Route): Promise<void> {
    // One turn later, so that what comes with the same bytes goes in one batch.
    await Promise.resolve();
    while (route.waiting.size > 0 && !stopped) {
      const batch = take(route);
      route.underWay = batch.items.length;
      const error = await send(route, batch);
      route.underWay = 0;
      if (error === undefined || stopped) continue;
      putBack(route, route.waiting, batch.items);
      route.limit = Math.max(1, Math.ceil(batch.items.length / 2));
      trouble(route, error.message);
      const backoff = backoffMs(DELIVERY_BACKOFF, route.failures++, random());
      await ingress.presence.wait(route.pause, Math.max(error.waitMs, backoff));
    }
    route.running = false;
  }

  /** One try. Undefined where it was answered. */
  async function send(route: Route, { items, body }: Batch): Promise<{ message: string; waitMs: number } | undefined> {
    try {
      const answer = await ingress.send("POST", route.path, new TextEncoder().encode(body));
      if (answer.status !== 200) {
        const { error, retryAfterMs } = refusedBy(`POST ${route.path}`, answer);
        return { message: error, waitMs: retryAfterMs };
      }
      const { results } = envelope.parse(JSON.parse(answer.text));
      if (results.length !== items.length) throw new Error(`${results.length} results for ${items.length} objects`);
      settle(route, items, results);
      return undefined;
    } catch (cause) {
      return { message: `POST ${route.path}: ${messageOf(cause)}`, waitMs: 0 };
    }
  }

  function settle(route: Route, items: readonly Unmapped[], results: readonly unknown[]): void {
    route.failures = 0;
    route.limit = Math.min(MAX_MAP_OBJECTS, route.limit * 2);
    let error: string | undefined;
    for (const [i, item] of items.entries()) {
      const told = idsOf(results[i], item.relation, cluster);
      if (typeof told === "string") {
        error = `${item.relation.controller} cannot map ${item.id}: ${told}`;
        putBack(route, route.failed, [item]);
      } else item.answered(told, !route.waiting.has(item.id));
    }
    if (error !== undefined) trouble(route, error);
    else if (route.failed.size === 0) route.error = undefined;
    if (route.failed.size === 0) route.retries = 0;
    else void comeBack(route);
  }

  /** Those that the code could not tell of are asked again, later each time; what is newer of them was asked meanwhile. */
  async function comeBack(route: Route): Promise<void> {
    if (route.returning) return;
    route.returning = true;
    await route.retry.wait(backoffMs(DELIVERY_BACKOFF, route.retries++, random()));
    route.returning = false;
    putBack(route, route.waiting, [...route.failed.values()]);
    route.failed.clear();
    wake(route);
  }

  function trouble(route: Route, error: string): void {
    if (error !== route.error && !stopped)
      logger.warn("a mapping by code failed, asking again", { relation: route.name, error });
    route.error = error;
  }

  return {
    ask(item) {
      if (stopped) return;
      const route = routeFor(item);
      route.failed.delete(item.id);
      // It keeps its place in the line: an object that changes all the time is asked about in its turn.
      route.waiting.set(item.id, item);
      wake(route);
    },
    retain(declared) {
      for (const [name, route] of routes) {
        if (declared.has(name)) continue;
        route.waiting.clear();
        route.failed.clear();
        route.pause.cut();
        route.retry.cut();
        routes.delete(name);
      }
    },
    stop() {
      stopped = true;
      for (const { pause, retry } of routes.values()) {
        pause.cut();
        retry.cut();
      }
    },
    status() {
      const all = [...routes.values()];
      return {
        pending: all.reduce((sum, { waiting, failed, underWay }) => sum + waiting.size + failed.size + underWay, 0),
        errors: all.flatMap(({ name, error }) => (error === undefined ? [] : { relation: name, error })),
      };
    },
  };

  function take(route: Route): Batch {
    const items: Unmapped[] = [];
    const objects: string[] = [];
    let size = 0;
    for (const [id, item] of route.waiting) {
      if (items.length === route.limit) break;
      const text = JSON.stringify({ object: sentOf(item), ...(item.deleted && { deleted: true }) });
      size += text.length;
      if (items.length > 0 && size > MAX_BATCH_BYTES) break;
      items.push(item);
      objects.push(text);
      route.waiting.delete(id);
    }
    const head: Omit<MapRequest, "objects"> = { apiVersion: API_VERSION, cluster };
    return { items, body: `${JSON.stringify(head).slice(0, -1)},"objects":[${objects.join(",")}]}` };
  }
}

type Batch = { items: readonly Unmapped[]; body: string };

/** Nothing that is newer is given up for what comes back. */
function putBack(route: Route, to: Map<string, Unmapped>, items: readonly Unmapped[]): void {
  for (const item of items) if (!route.waiting.has(item.id)) to.set(item.id, item);
}

/** What the code gets: an object of a list has no kind of its own, and nobody maps by `managedFields`. */
function sentOf({ relation, object }: Unmapped): object {
  const { managedFields: _, ...metadata } = object.metadata;
  const whole = relation.mapping.by === "code" && relation.mapping.objects === "full";
  return { ...(whole ? object : { apiVersion: object.apiVersion, kind: object.kind }), metadata };
}
