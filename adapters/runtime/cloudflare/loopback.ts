/**
 * Runs as invocations of this same Worker, of their own and not billed as requests: the object calls the Worker through
 * the export that the platform loops back, with props that nobody can set from outside.
 * @module
 */
import { problem, type ReconcileAnswer } from "../../../functions/contract/index.ts";
import { InvocationRefused, type Invoker } from "../../../functions/ports/index.ts";
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
        throw await refusalOf(response);
      } finally {
        clearTimeout(timer); // an open timer would keep the object from hibernating
      }
    },
  };
}

/** Our own code refuses before it runs anything; nothing of its text is passed on (X4). */
async function refusalOf(response: Response): Promise<Error> {
  const { status } = response;
  const ours = problem.safeParse(await response.json().catch(() => undefined)).success;
  const message = `the function answered ${status}`;
  return ours ? new InvocationRefused(message, { status, sent: true, ours }) : new Error(message);
}
