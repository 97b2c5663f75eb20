import {
  API_VERSION,
  keyOf,
  problemOfZod,
  type ReconcileAnswer,
  type ReconcileRequest,
  reconcileRequest,
} from "../contract/index.ts";
import { createKube } from "../kube/client.ts";
import { resourceRegistry } from "../kube/registry.ts";
import type { KubeObject, Resource } from "../kube/resource.ts";
import type { Clock, KeyValue, KubeTransport, Logger, Steps } from "../ports/index.ts";
import type { Controller, Failure } from "./controller.ts";
import { withinDeadline } from "./deadline.ts";
import { errorText, withoutSecrets } from "./error-text.ts";
import { Failures } from "./failures.ts";
import { runLifecycle, type Seen } from "./lifecycle.ts";
import { isList, NAMESPACE } from "./selection.ts";
import { judge, type Verdict } from "./verdict.ts";

/** Most characters of a stack that are logged: some 40 frames. */
const MAX_STACK_LENGTH = 4_096;

/** What a run needs beside its controller and its request. */
export type RunDeps<Env, Context extends object> = {
  /** The way to the API server of the key's cluster. */
  transport: KubeTransport;
  /** Where failure records are kept. */
  kv: KeyValue;
  clock: Clock;
  logger: Logger;
  env: Env;
  /** The user's own dependencies. */
  context: Context;
  /** Texts that must be in no error: signing secrets, tokens (X4). */
  secrets: readonly string[];
  /** The controller's own, as its manifest says: the answer tells it (F7). */
  revision?: string;
  /** Aborted when the process gives up on its runs, so that they send nothing any more (S5). */
  stopped?: AbortSignal;
  steps?: Steps;
};

/**
 * Runs one key once: reads the object, calls the user's code, and answers by outcome. Never throws, and is never later than
 * the request's deadline, whatever the user's code, the API server or KV do.
 * @example const answer = await runReconcile(documents, request, { transport, kv, clock, logger, env, context: {}, secrets });
 */
export async function runReconcile<Env, Context extends object, T extends KubeObject>(
  controller: Controller<Env, Context, T>,
  request: ReconcileRequest,
  deps: RunDeps<Env, Context>,
): Promise<ReconcileAnswer> {
  const refusal = refusalOf(controller, request);
  if (refusal) return { apiVersion: API_VERSION, ...refusal };
  const { key } = request;
  const { clock, secrets } = deps;
  const log = deps.logger.with({ controller: controller.name, key: keyOf(key) });
  const startedAt = clock.monotonic();
  const remainingMs = (): number => request.deadlineMs - (clock.monotonic() - startedAt);
  const failures = new Failures({
    kv: deps.kv,
    key,
    maxBackoffMs: controller.scheduling.backoff.maxMs,
    clock,
    remainingMs,
    log,
    errorText: (error) => errorText(error, secrets),
  });
  // Only a key that has failed has a record: a success without failures never touches KV.
  const record = request.attempt > 0 ? failures.read() : undefined;
  const seen: Seen<T> = {};
  try {
    const work = (signal: AbortSignal) => {
      const kube = createKube({
        transport: deps.transport,
        resources: resourceRegistry(declaredBy(controller)),
        fieldManager: controller.name,
        signal,
        remainingMs,
        log,
        ...(deps.steps && { steps: deps.steps }),
      });
      const context = () => {
        const { attempt } = standingOf(request, seen);
        return { ...deps.context, kube, log, env: deps.env, key, signal, attempt };
      };
      return runLifecycle({ controller, key, kube, context, log, seen });
    };
    const completed = await withinDeadline(clock, request.deadlineMs, work, deps.stopped);
    log.debug("run completed", { ...completed, reasons: request.reasons });
    if (request.attempt > 0) await failures.clear();
    return { ...answered(seen, deps.revision), ...completed };
  } catch (error) {
    const { attempt, counts } = standingOf(request, seen);
    const uid = seen.stored?.metadata.uid ?? request.uid;
    const known = attempt > 0 ? await record : undefined;
    const previous = known?.uid === undefined || known.uid === uid ? known : undefined;
    const failure: Failure<T> = {
      attempt,
      firstFailureAt: previous?.firstFailureAt ?? clock.now(),
      ...(previous && { lastError: previous.lastError }),
      key,
      ...(seen.given && { object: seen.given }),
    };
    const verdict = verdictOf(controller, error, { failure, counts, deps, log });
    const text = errorText(error, secrets);
    const stack =
      error instanceof Error && typeof error.stack === "string"
        ? withoutSecrets(error.stack, secrets).slice(0, MAX_STACK_LENGTH)
        : undefined;
    log.warn("run failed", { ...verdict, error: text, attempt, counts, reasons: request.reasons, stack });
    const { firstFailureAt } = failure;
    await failures.write({ uid, attempt: attempt + (counts ? 1 : 0), firstFailureAt, lastError: text });
    return { ...answered(seen, deps.revision), ...verdict, error: text };
  }
}

/** The kinds that the controller's code may touch. */
function declaredBy({ for: primary, owns, watches, access, namespaces }: Controller): Resource[] {
  const related = [...owns, ...watches, ...access].map(({ resource }) => resource);
  return [primary, ...related, ...(namespaces && !isList(namespaces) ? [NAMESPACE] : [])];
}

/** What the key's failures are to this run. Another object under the name has never failed (S13). */
function standingOf(request: ReconcileRequest, { stored }: Seen<KubeObject>): { attempt: number; counts: boolean } {
  const recreated = request.uid !== undefined && stored !== undefined && stored.metadata.uid !== request.uid;
  return recreated ? { attempt: 0, counts: true } : { attempt: request.attempt, counts: request.counts };
}

function verdictOf<Env, Context extends object, T extends KubeObject>(
  controller: Controller<Env, Context, T>,
  error: unknown,
  run: { failure: Failure<T>; counts: boolean; deps: RunDeps<Env, Context>; log: Logger },
): Verdict {
  const { failure, counts, deps, log } = run;
  const policy = counts && controller.errorPolicy ? () => controller.errorPolicy?.(error, failure) : undefined;
  return judge(error, policy, (nonsense) =>
    log.error("the error policy failed: the default backoff decides", { error: errorText(nonsense, deps.secrets) }),
  );
}

/** What every answer tells. */
function answered({ stored }: Seen<KubeObject>, revision: string | undefined) {
  return {
    apiVersion: API_VERSION,
    ...(stored && { observed: { uid: stored.metadata.uid, resourceVersion: stored.metadata.resourceVersion } }),
    ...(revision !== undefined && { revision }),
  } as const;
}

/** Why a request cannot be run at all: the caller's mistake, or a key that its kind cannot have. */
function refusalOf(
  controller: Controller,
  request: ReconcileRequest,
): { outcome: "error" | "terminal"; error: string } | undefined {
  const parsed = reconcileRequest.safeParse(request);
  if (!parsed.success) return { outcome: "error", error: errorText(problemOfZod(parsed.error).error.message, []) };
  const { key } = parsed.data;
  const { name, for: primary } = controller;
  if (key.controller !== name)
    return { outcome: "error", error: `key.controller: this is ${name}, not ${key.controller}` };
  if ((key.namespace !== undefined) === (primary.scope === "Namespaced")) return undefined;
  const needed = primary.scope === "Namespaced" ? "a namespace is needed" : "there must be no namespace";
  return { outcome: "terminal", error: `key.namespace: ${primary.kind} is ${primary.scope}: ${needed}` };
}
