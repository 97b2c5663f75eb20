import type { Store } from "../store/store.ts";
import type { ApiRequest } from "./request.ts";
import { expired, tooManyRequests } from "./status-error.ts";

/** What a test makes of a request; undefined: nothing. What it throws, the request rejects with. */
export type Interceptor = (request: ApiRequest) => Interception | undefined;

export type Interception =
  | { tooManyRequests: { retryAfterSeconds: number } }
  /**
   * A get or list answers as it was right after the change with this revision, 410 where that is forgotten. Writes are not
   * touched. A watch rejects with a RangeError, as does a revision that there was not yet.
   */
  | { asOf: number };

/** A mistake in a test's interceptor, which is no answer of the server. */
export class InterceptorError extends Error {
  override readonly name = "InterceptorError";
}

/**
 * The revision as of which a test wants a read answered; undefined where it does not.
 * @throws StatusError 429 where a test wants it, 410 where the revision is forgotten.
 * @throws InterceptorError with what the interceptor threw, or with a RangeError that says what is wrong, as its cause.
 */
export function intercepted(
  interceptors: ReadonlySet<Interceptor>,
  request: ApiRequest,
  store: Store,
): number | undefined {
  for (const interceptor of interceptors) {
    const interception = asked(interceptor, request);
    if (!interception) continue;
    if ("asOf" in interception) return readable(interception.asOf, request, store);
    throw tooManyRequests(interception.tooManyRequests.retryAfterSeconds);
  }
  return undefined;
}

function asked(interceptor: Interceptor, request: ApiRequest): Interception | undefined {
  try {
    return interceptor(request);
  } catch (cause) {
    throw new InterceptorError("an interceptor threw", { cause });
  }
}

function readable(asOf: number, { verb }: ApiRequest, { revision, compacted }: Store): number | undefined {
  const wrong = (why: string) => new InterceptorError("an interception is none", { cause: new RangeError(why) });
  if (!Number.isInteger(asOf) || asOf < 1 || asOf > revision) {
    throw wrong(`asOf: ${asOf} is no revision of the server: they go from 1 to ${revision}`);
  }
  if (verb === "watch") throw wrong("asOf: a watch cannot be answered as of an older revision, only a get or a list");
  if (verb !== "get" && verb !== "list") return undefined;
  if (asOf < compacted) throw expired(`asOf: revision ${asOf} is forgotten: compacted at ${compacted}`);
  return asOf;
}
