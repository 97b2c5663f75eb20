import type * as z from "zod";
import { messageOf } from "../message.ts";
import type { IngressAnswer } from "./ingress.ts";

/** Why a request was not accepted, and how long to wait at least before it is sent again. */
export type Refused = {
  error: string;
  retryAfterMs: number;
  /** Whether time alone will hardly mend it. */
  someoneMustAct: boolean;
};

/** What our ingress accepted, undefined where that was not the answer. */
export function acceptedAs<S extends z.ZodType>(schema: S, { status, text }: IngressAnswer): z.infer<S> | undefined {
  if (status !== 202) return undefined;
  try {
    return schema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/**
 * What another answer means. Without a body of our ingress it is a proxy's or a firewall's, which may go away (R5).
 * @param request `POST /triggers`
 */
export function refusedBy(request: string, { status, problem, retryAfterMs }: IngressAnswer): Refused {
  const whose = problem ? `${problem.code}: ${problem.message}` : "without a body of our ingress";
  const someoneMustAct = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return { error: `${request}: ${status} ${whose}`, retryAfterMs, someoneMustAct };
}

/** What it means that nothing was answered. */
export function unanswered(cause: unknown): Refused {
  return { error: messageOf(cause), retryAfterMs: 0, someoneMustAct: false };
}

/** An error in `rejected` begins with the field that is wrong: of the controller nothing but its name can be. */
export function rejectionOf(error: string): "unknown controller" | "shard full" | "for good" {
  if (error.startsWith("controller:")) return "unknown controller";
  return error.startsWith("shard-full") ? "shard full" : "for good";
}
