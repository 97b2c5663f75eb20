import type { BackoffOptions } from "../../../functions/contract/index.ts";

/** 200 ms to 30 s: the functions may be a process that is just being restarted. */
export const DELIVERY_BACKOFF: BackoffOptions = { baseMs: 200, factor: 2, maxMs: 30_000, jitter: 0.25 };

/** How soon a relay that is being stopped tries again: it has seconds, and the functions may be back within them. */
export const LAST_RETRY_MS = 500;
