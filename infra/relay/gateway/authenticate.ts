import {
  type CheckMac,
  GATEWAY_HEADERS,
  gatewayContent,
  label,
  MAX_RUN_MS,
  SIGNATURE_TOLERANCE_SECONDS,
  verify,
} from "../../../functions/contract/index.ts";
import type { Clock } from "../../../functions/ports/index.ts";
import { splitUrl } from "./ask.ts";
import type { ClockOffset } from "./clock-offset.ts";
import { Refusal } from "./refusal.ts";
import { MAX_IDS, type SeenIds } from "./seen-ids.ts";

/** Who asks, and until when the answer is of use. */
export type Caller = {
  /** `webhook-id`. */
  id: string;
  controller: string;
  /** The run's deadline on our monotonic clock, as late as it can be. */
  deadlineAt: number;
};

export type Authenticator = {
  cluster: string;
  secrets: readonly string[];
  clock: Clock;
  offset: ClockOffset;
  ids: SeenIds;
  /** By the monotonic clock: what was sent before is in nobody's memory of ids. */
  startedAt: number;
  checkMac?: CheckMac | undefined;
};

/** The header that a refusal is about. */
const FIELDS = {
  "missing-signature": { field: "webhook-signature" },
  "bad-signature": { field: "webhook-signature" },
  "stale-timestamp": { field: "webhook-timestamp", limit: `${SIGNATURE_TOLERANCE_SECONDS} s` },
};

/** Less than a process takes to start: what another one has answered was sent longer before. */
const START_SLACK_MS = 25;

const ID = /^[\w-]{1,64}$/;
const SENT = /^\d{1,15}$/;
const DEADLINE = /^\d{1,6}$/;

/**
 * Verifies a request over its raw bytes (X1), that it is for this cluster (X2), comes for the first time, and is not late
 * (S5). Nothing of it is believed, or remembered, before its signature fits.
 * @throws Refusal
 */
export async function authenticate(
  { cluster, secrets, clock, offset, ids, startedAt, checkMac }: Authenticator,
  request: Request,
  body: Uint8Array,
): Promise<Caller> {
  const { headers, method, url } = request;
  const text = (header: string) => headers.get(header) ?? "";
  const named = text(GATEWAY_HEADERS.cluster);
  const controller = text(GATEWAY_HEADERS.controller);
  const times = { sentMs: text(GATEWAY_HEADERS.sentMs), deadlineMs: text(GATEWAY_HEADERS.deadlineMs) };
  const call = { cluster: named, controller, method, path: splitUrl(url).raw, contentType: text("content-type"), body };
  const message = { now: clock.now(), body: gatewayContent(call, times) };
  const verified = await verify(secrets, headers, message, checkMac);
  if (!verified.ok) throw new Refusal(401, verified.code, verified.message, FIELDS[verified.code]);
  if (named !== cluster)
    throw new Refusal(403, "foreign-cluster", "this is another cluster's gateway", { field: GATEWAY_HEADERS.cluster });

  const { id } = verified;
  const sentMs = Number(times.sentMs);
  if (!ID.test(id)) throw malformed("webhook-id", "must be 1 to 64 letters, digits, - or _");
  if (!label.safeParse(controller).success) throw malformed(GATEWAY_HEADERS.controller, "must be a controller's name");
  if (!SENT.test(times.sentMs) || Math.floor(sentMs / 1000) !== Number(text("webhook-timestamp")))
    throw malformed(GATEWAY_HEADERS.sentMs, "must be webhook-timestamp in milliseconds");
  if (!DEADLINE.test(times.deadlineMs) || Number(times.deadlineMs) > MAX_RUN_MS)
    throw malformed(GATEWAY_HEADERS.deadlineMs, "must be whole milliseconds", `${MAX_RUN_MS} ms`);

  if (offset.earliest(sentMs) < startedAt - START_SLACK_MS)
    throw new Refusal(401, "stale-timestamp", "this was sent before the relay started, and may be a repetition", {
      field: "webhook-timestamp",
    });
  const remembered = ids.add(id, sentMs);
  if (remembered === "repeated")
    throw new Refusal(401, "repeated-id", "webhook-id: this request was here before", { field: "webhook-id" });
  if (remembered === "full")
    throw new Refusal(
      429,
      "too-many-requests",
      "too many requests within the tolerance of a timestamp",
      { field: "webhook-id", limit: `${MAX_IDS} ids` },
      { "retry-after": "1" },
    );

  offset.received(sentMs);
  const deadlineAt = offset.latest(sentMs + Number(times.deadlineMs));
  if (deadlineAt <= clock.monotonic())
    throw new Refusal(408, "late", "the run's deadline has passed", { field: GATEWAY_HEADERS.deadlineMs });
  return { id, controller, deadlineAt };
}

function malformed(field: string, must: string, limit?: string): Refusal {
  return new Refusal(400, "malformed", `${field}: ${must}`, { field, ...(limit !== undefined && { limit }) });
}
