import type { Action, ObjectRef } from "../contract/index.ts";
import { action as actionSchema, MAX_DELAY_MS } from "../contract/index.ts";
import { ConflictError, InvalidError, isAbsent, MisfitError } from "../kube/errors.ts";
import type { Kube } from "../kube/kube.ts";
import type { KubeObject, Resource } from "../kube/resource.ts";
import type { Logger } from "../ports/index.ts";
import { awaitChange } from "./action.ts";
import type { Controller, RunContext } from "./controller.ts";
import { TerminalError } from "./errors.ts";
import { type FinalizerStep, nextStep } from "./finalizer.ts";
import { isExcluded } from "./selection.ts";

/** How often a finalizer patch is tried again because the object changed under it (F2). */
const MAX_RETRIES = 3;

export type Lifecycle<Env, Context extends object, T extends KubeObject> = {
  controller: Controller<Env, Context, T>;
  key: ObjectRef;
  kube: Kube;
  context(): RunContext<Env, Context>;
  log: Logger;
  seen: Seen<T>;
};

/** The primary as the run last saw it, for whoever answers for the run. */
export type Seen<T extends KubeObject> = {
  stored?: KubeObject;
  /** As the user's code got it. */
  given?: T;
};

export type Completed = { outcome: "success"; action: Action } | { outcome: "gone" };

/**
 * One run of a key: reads the object, takes the steps that its finalizer asks for, and calls the user's code (F1 to F3, F9).
 * @throws what the user's code or the API server threw.
 */
export async function runLifecycle<Env, Context extends object, T extends KubeObject>(
  run: Lifecycle<Env, Context, T>,
): Promise<Completed> {
  const { controller, context, seen } = run;
  let object = await read(run);
  let cleanedUid: string | undefined;
  let retries = 0;
  while (object) {
    const excluded = await isExcluded(controller, object, run.kube);
    const step = nextStep(object, { finalizer: controller.finalizer, excluded, cleanedUid });
    if (step.do === "leave") return excluded ? { outcome: "gone" } : { outcome: "success", action: awaitChange() };
    if (step.do === "reconcile") {
      seen.given = fitting(controller.for, object);
      const wanted = await controller.reconcile(seen.given, context());
      return { outcome: "success", action: checkedAction(wanted, "reconcile") };
    }
    if (step.do === "cleanup") {
      seen.given = fittingOrStored(run, object);
      const again = await controller.cleanup?.(seen.given, context());
      if (again !== undefined) return { outcome: "success", action: checkedRequeue(again) };
      cleanedUid = object.metadata.uid;
    } else {
      if (step.purpose === "add the finalizer") fitting(controller.for, object);
      object = await patched(run, object, step, retries++ < MAX_RETRIES);
    }
  }
  return { outcome: "gone" };
}

/** The object as it is stored now; undefined where the API server proves its absence. */
async function read<Env, Context extends object, T extends KubeObject>({
  controller,
  key,
  kube,
  seen,
}: Lifecycle<Env, Context, T>): Promise<KubeObject | undefined> {
  // Unparsed: an object that does not fit its schema has a finalizer all the same.
  const object = await kube.find<KubeObject>({ ...controller.for, parse: undefined }, key);
  if (object) seen.stored = object;
  return object;
}

/** The object after our patch, or as it is now where it changed under the patch (F2). */
async function patched<Env, Context extends object, T extends KubeObject>(
  run: Lifecycle<Env, Context, T>,
  object: KubeObject,
  step: Extract<FinalizerStep, { do: "patch" }>,
  mayRetry: boolean,
): Promise<KubeObject | undefined> {
  try {
    const after = await run.kube.jsonPatch(object, step.operations);
    run.seen.stored = after;
    return after;
  } catch (error) {
    if (isAbsent(error, { resource: run.controller.for, name: run.key.name })) return undefined;
    if (!(error instanceof ConflictError || error instanceof InvalidError)) throw error;
    const now = await read(run);
    if (now && (!mayRetry || now.metadata.resourceVersion === object.metadata.resourceVersion))
      throw new Error(`the API server refused to ${step.purpose} ${run.controller.finalizer}`, { cause: error });
    return now;
  }
}

/** The object with its defaults set. One that does not fit waits for a change: a retry would find the same (F9). */
function fitting<T extends KubeObject>(resource: Resource<T>, object: KubeObject): T {
  try {
    return parsed(resource, object);
  } catch (error) {
    if (!(error instanceof MisfitError)) throw error;
    throw new TerminalError(`the stored ${resource.kind} does not fit its schema`, { cause: error });
  }
}

/** For cleanup, which must not be kept from running by what the object looks like (F9). */
function fittingOrStored<Env, Context extends object, T extends KubeObject>(
  { controller, log }: Lifecycle<Env, Context, T>,
  object: KubeObject,
): T {
  try {
    return parsed(controller.for, object);
  } catch (error) {
    if (!(error instanceof MisfitError)) throw error;
    log.warn("a deleting object does not fit its schema: it is cleaned up as it is stored", { field: error.path });
    return object as T;
  }
}

/** Kinds without a schema are as the API server checked them. */
function parsed<T extends KubeObject>(resource: Resource<T>, object: KubeObject): T {
  return resource.parse ? resource.parse(object) : (object as T);
}

/**
 * An Action as the user's code returned it, which may be untyped.
 * @throws TypeError that says what was expected.
 */
export function checkedAction(value: unknown, of: string): Action {
  const result = actionSchema.safeParse(value);
  if (!result.success) throw new TypeError(`${of} must return requeueAfter(…) or awaitChange()`);
  const { data } = result;
  return "requeueAfterMs" in data ? { requeueAfterMs: Math.min(data.requeueAfterMs, MAX_DELAY_MS) } : data;
}

function checkedRequeue(value: unknown): Action {
  const action = actionSchema.safeParse(value).success ? checkedAction(value, "cleanup") : undefined;
  if (action && "requeueAfterMs" in action) return action;
  throw new TypeError("cleanup must return nothing where it is finished, or requeueAfter(…) where it is not");
}
