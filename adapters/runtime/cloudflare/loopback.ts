/**
 * Runs as invocations of this same Worker, of their own and not billed as requests: the object calls the Worker through
 * the export that the platform loops back, with props that nobody can set from outside.
 * @module
 */
import type { ReconcileAnswer } from "../../../functions/contract/index.ts";
import type { Invoker } from "../../../functions/ports/index.ts";
import type { Fetcher } from "../../cloudflare-platform.ts";

/** `ctx.exports.default`. */
export type Loopback = (options: { props: unknown }) => Fetcher;

const PROPS = { sluice: "reconcile" } as const;

/**
 * A run answers at its deadline at the latest. One that does not within this stops dead: not even its `finally` runs. It is
 * less than the grace of a lease.
 */
const PATIENCE_MS = 2_000;

/** Whether an invocation is a run that the scheduler asked for, by the props of its context. */
export function isRun(props: unknown): boolean {
  return (props as Partial<typeof PROPS> | undefined)?.sluice === PROPS.sluice;
}

export function loopbackInvoker(loopback: Loopback): Invoker {
  return {
    async invoke(request) {
      const over = new AbortController();
      const patienceMs = request.deadlineMs + PATIENCE_MS;
      const timer = setTimeout(() => over.abort(new Error(`no answer within ${patienceMs} ms`)), patienceMs);
      try {
        const response = await loopback({ props: PROPS }).fetch("https://functions.invalid/reconcile", {
          method: "POST",
          body: JSON.stringify(request),
          signal: over.signal,
        });
        if (response.ok) return (await response.json()) as ReconcileAnswer;
        await response.body?.cancel();
        throw new Error(`the function answered ${response.status}`);
      } finally {
        clearTimeout(timer); // an open timer would keep the object from hibernating
      }
    },
  };
}
