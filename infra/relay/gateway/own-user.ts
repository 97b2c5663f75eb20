import type { KubeTransport, Logger } from "../../../functions/ports/index.ts";
import { type Accounts, usersOf } from "./accounts.ts";
import { Refusal } from "./refusal.ts";

const REVIEW = {
  path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
  body: JSON.stringify({ apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" }),
};

/** How long a start, or a request, waits for the answer; the next request asks again. */
const WAIT_MS = 5_000;

/** Answers that another question may change. */
const PASSING = new Set([401, 429]);

/** Who the relay is for its API server. Undefined: that one does not tell (before Kubernetes 1.28). */
export type OwnUser = () => Promise<string | undefined>;

/**
 * Asks the API server who we are, until it has answered once.
 * @throws Refusal 503 while it does not answer: functions might be given the relay's own account (X2).
 */
export function createOwnUser(transport: KubeTransport, logger: Logger): OwnUser {
  let asking: Promise<string | undefined> | undefined;
  return () => {
    asking ??= ask(transport, logger).catch((error: unknown) => {
      asking = undefined;
      logger.warn("the API server does not say who the relay is", { error: String(error) });
      const message = "the relay does not know yet who it is for the API server";
      throw new Refusal(503, "not-ready", message, {}, { "retry-after": "1" });
    });
    return asking;
  };
}

async function ask(transport: KubeTransport, logger: Logger): Promise<string | undefined> {
  const headers = { accept: "application/json", "content-type": "application/json" };
  const { path, body } = REVIEW;
  const answer = await transport.fetch(path, { method: "POST", headers, body, signal: AbortSignal.timeout(WAIT_MS) });
  const text = await answer.text();
  if (answer.status >= 500 || PASSING.has(answer.status)) throw new Error(`it answered ${answer.status}`);
  const user = answer.ok ? userIn(text) : undefined;
  if (user === undefined)
    logger.warn("the API server tells nobody who they are: make sure that functions do not get the relay's account", {
      status: answer.status,
    });
  return user;
}

function userIn(text: string): string | undefined {
  try {
    const { status } = JSON.parse(text) as { status?: { userInfo?: { username?: unknown } } };
    const name = status?.userInfo?.username;
    return typeof name === "string" && name !== "" ? name : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Says at the start that functions were given the relay's own account. An API server that does not answer within 5 s delays
 * no start: the gateway asks again before it serves anything.
 * @throws TypeError
 */
export async function refuseOwnAccount(accounts: Accounts, transport: KubeTransport, logger: Logger): Promise<void> {
  const own = await ask(transport, logger).catch(() => undefined);
  if (own === undefined || !usersOf(accounts).includes(own)) return;
  throw new TypeError(
    `--service-account (SLUICE_SERVICE_ACCOUNT) must not name the relay's own account, ${own}: functions would have its rights`,
  );
}
