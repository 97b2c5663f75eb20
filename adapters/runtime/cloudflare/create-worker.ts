import type { Hono } from "hono";
import { type Manifest, problemOf, type ReconcileRequest, revisionOf } from "../../../functions/contract/index.ts";
import type { Controller } from "../../../functions/controller/controller.ts";
import { errorText } from "../../../functions/controller/error-text.ts";
import { manifestOf } from "../../../functions/controller/manifest.ts";
import { runReconcile } from "../../../functions/controller/run.ts";
import { createIngress } from "../../../functions/http/ingress.ts";
import type { IngressEnv } from "../../../functions/http/ingress-env.ts";
import { createGatewayTransport } from "../../../functions/kube/gateway-transport.ts";
import type { KeyValue, Logger, Steps } from "../../../functions/ports/index.ts";
import { createCloudflareKeyValue } from "../../kv/cloudflare-kv.ts";
import { systemClock } from "../system-clock.ts";
import { declare } from "./deployment.ts";
import { isRun } from "./loopback.ts";
import { type Bindings, type ClusterOptions, checkOptions, clustersOf, type WorkerOptions } from "./options.ts";
import { remoteScheduler } from "./remote-scheduler.ts";
import { workerLogger } from "./worker-logger.ts";

/** What is used of an invocation's `ctx`. */
export interface Invocation {
  readonly props?: unknown;
  waitUntil(work: Promise<unknown>): void;
}

/** A Worker's handlers, to be its default export. */
export interface Worker<Env> {
  fetch(request: Request, env: Env, ctx: Invocation): Promise<Response>;
  /** A cron trigger is a backstop for an alarm that the platform has lost. */
  scheduled(event: unknown, env: Env): Promise<void>;
}

/**
 * Controllers as a Worker: the ingress for relays, and the functions. The class `SchedulerObject` is exported beside it.
 * @throws TypeError for an option that is wrong, naming the field; at the first request where it depends on `env`.
 * @example
 * export { SchedulerObject } from "sluice/cloudflare";
 * export default createWorker<Env>({
 *   controllers: [documents],
 *   clusters: (env) => [{ name: "home", gateway: env.GATEWAY_URL, secrets: [env.SLUICE_SECRET] }],
 * });
 */
export function createWorker<Env extends Bindings, Context extends object = object>(
  options: WorkerOptions<Env, Context>,
): Worker<Env> {
  return composeWorker(options);
}

/** @param steps for tests only. */
export function composeWorker<Env extends Bindings, Context extends object = object>(
  options: WorkerOptions<Env, Context>,
  steps?: Steps,
): Worker<Env> {
  checkOptions(options);
  declare({ options, ...(steps && { steps }) });
  const isolates = new WeakMap<Env, Isolate<Env, Context>>();
  const isolateOf = (env: Env) => {
    const isolate = isolates.get(env) ?? new Isolate(options, env, steps);
    isolates.set(env, isolate);
    return isolate;
  };
  return {
    async fetch(request, env, ctx) {
      let isolate: Isolate<Env, Context>;
      try {
        isolate = isolateOf(env);
      } catch (error) {
        return unavailable(workerLogger(options.logLevel), error, []);
      }
      return isolate.fetch(request, ctx);
    },
    async scheduled(_, env) {
      const scheduler = remoteScheduler(env.SLUICE_SCHEDULER);
      await Promise.all(clustersOf(options, env).map(({ name }) => scheduler.wake(name)));
    },
  };
}

/** Settings that are wrong, or user code outside of a run: a throw would leave with its message (X4). */
function unavailable(logger: Logger, error: unknown, secrets: readonly string[]): Response {
  logger.error("the Worker is not set up", { error: errorText(error, secrets) });
  return Response.json(problemOf("unavailable", "the functions are not set up"), { status: 503 });
}

/** What is made once of a deployment and its bindings. No promise is kept: one request must not wait for another's. */
class Isolate<Env extends Bindings, Context extends object> {
  readonly #options: WorkerOptions<Env, Context>;
  readonly #env: Env;
  readonly #steps: { steps?: Steps };
  readonly #clusters: readonly ClusterOptions[];
  readonly #secrets: readonly string[];
  readonly #logger: Logger;
  #manifest: Manifest | undefined;
  #ingress: Hono<IngressEnv> | undefined;

  constructor(options: WorkerOptions<Env, Context>, env: Env, steps: Steps | undefined) {
    this.#options = options;
    this.#env = env;
    this.#steps = steps ? { steps } : {};
    this.#clusters = clustersOf(options, env);
    this.#secrets = this.#clusters.flatMap(({ secrets }) => secrets);
    this.#logger = workerLogger(options.logLevel, this.#secrets);
  }

  async fetch(request: Request, ctx: Invocation): Promise<Response> {
    try {
      return isRun(ctx.props) ? await this.#run(request, ctx) : await (await this.#openIngress()).fetch(request);
    } catch (error) {
      return unavailable(this.#logger, error, this.#secrets);
    }
  }

  async #openIngress(): Promise<Hono<IngressEnv>> {
    const manifest = await this.#declare();
    this.#ingress ??= createIngress({
      manifest,
      clusters: this.#clusters,
      scheduler: remoteScheduler(this.#env.SLUICE_SCHEDULER),
      kv: createCloudflareKeyValue(this.#env.SLUICE_KV, systemClock),
      clock: systemClock,
      logger: this.#logger,
      controllers: this.#options.controllers as readonly Controller[],
      env: this.#env,
      ...this.#steps,
    });
    return this.#ingress;
  }

  /** Answers as the wire says, or with a refusal where the key is none of this deployment. */
  async #run(request: Request, ctx: Invocation): Promise<Response> {
    const asked = (await request.json()) as ReconcileRequest;
    const controllers = this.#options.controllers as readonly Controller<Env, Context>[];
    const controller = controllers.find(({ name }) => name === asked.key.controller);
    const cluster = this.#clusters.find(({ name }) => name === asked.key.cluster);
    if (!controller || !cluster) {
      const what = controller ? "cluster" : "controller";
      return Response.json(problemOf("not-found", `no ${what} of this name is declared`), { status: 404 });
    }
    const revision = revisionOf(await this.#declare(), controller.name);
    const answer = await runReconcile(controller, asked, {
      transport: createGatewayTransport({
        url: cluster.gateway,
        cluster: cluster.name,
        controller: controller.name,
        secrets: cluster.secrets,
        clock: systemClock,
      }),
      kv: keptAlive(createCloudflareKeyValue(this.#env.SLUICE_KV, systemClock), ctx),
      clock: systemClock,
      logger: this.#logger,
      env: this.#env,
      context: this.#options.context?.(this.#env) ?? ({} as Context),
      secrets: this.#secrets,
      ...(revision !== undefined && { revision }),
      ...this.#steps,
    });
    return Response.json(answer);
  }

  async #declare(): Promise<Manifest> {
    this.#manifest ??= await manifestOf(this.#options.controllers as readonly Controller[]);
    return this.#manifest;
  }
}

/** A run may answer before its failure record is written: without this the platform would cut the write off. */
function keptAlive(kv: KeyValue, ctx: Invocation): KeyValue {
  const keep = (work: Promise<void>) => {
    ctx.waitUntil(work.catch(() => {}));
    return work;
  };
  return {
    flags: kv.flags,
    get: (key) => kv.get(key),
    set: (key, value, options) => keep(kv.set(key, value, options)),
    delete: (key) => keep(kv.delete(key)),
  };
}
