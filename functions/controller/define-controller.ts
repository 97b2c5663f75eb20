import type { KubeObject } from "../kube/resource.ts";
import { checkOptions } from "./check-options.ts";
import type { Controller, ControllerOptions } from "./controller.ts";
import { schedulingOf } from "./scheduling.ts";

/**
 * Defines a controller: which kind it reconciles, what wakes it, and the code. Called twice, so that the platform's `Env`
 * (and the type of the user's own context) can be named while the object's type is taken from `for`.
 * @throws TypeError that names the field and its limit.
 * @example
 * export const documents = defineController<Env>()({
 *   name: "documents",
 *   for: Document,
 *   owns: [{ resource: ConfigMap }],
 *   async reconcile(doc, { kube }) {
 *     await kube.apply(configMapFor(doc), { owner: doc });
 *     return awaitChange();
 *   },
 * });
 */
export function defineController<Env = unknown, Context extends object = object>(
  ...misplaced: []
): <T extends KubeObject>(options: ControllerOptions<Env, Context, T>) => Controller<Env, Context, T> {
  if (misplaced.length > 0)
    throw new TypeError("defineController: takes its options in a second call: defineController()({ … })");
  return (options) => {
    checkOptions(options);
    const { name, namespaces, selector, predicate, owns = [], watches = [], access = [] } = options;
    return {
      name,
      for: options.for,
      ...(namespaces ? { namespaces } : {}),
      ...(selector ? { selector } : {}),
      ...(predicate ? { predicate } : {}),
      owns,
      watches,
      access,
      scheduling: schedulingOf(options),
      reconcile: options.reconcile,
      ...(options.finalizer === undefined ? {} : { finalizer: options.finalizer, cleanup: options.cleanup }),
      ...(options.errorPolicy ? { errorPolicy: options.errorPolicy } : {}),
    };
  };
}
