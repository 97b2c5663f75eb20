import { reset } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createCloudflareKeyValue } from "../../adapters/kv/cloudflare-kv.ts";
import type { Clock } from "../../functions/ports/index.ts";
import { testKeyValue } from "./kv.case.ts";

// On a KV namespace in workerd.
const open = (clock: Clock) => createCloudflareKeyValue(env.SLUICE_KV, clock);
testKeyValue(() => ({ open, reopen: open, cleanUp: reset }), { durable: true, stalenessMs: 60_000 });
