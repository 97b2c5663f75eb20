import type { Context } from "hono";
import {
  API_VERSION,
  type CheckpointAnswer,
  checkpointIndex,
  checkpointPart,
  label,
  partName,
  problemOf,
} from "../contract/index.ts";
import type { KeyValue } from "../ports/index.ts";
import { refuseForeign } from "./commit.ts";
import type { IngressEnv } from "./ingress-env.ts";
import { decode, parseBody } from "./parse-body.ts";
import { Refusal } from "./refusal.ts";

/**
 * How long a part is kept that nobody puts again, 30 days in milliseconds. A relay puts what it still needs again after half
 * of it; what nobody needs and was not deleted ends by it.
 */
export const KEEP_PART_MS: number = 30 * 24 * 60 * 60 * 1000;

/** Most parts that one index deletes: Workers allow 50 operations a request on the smallest plan. The rest ends in time. */
const MOST_DELETED = 40;

/** `GET /checkpoint/:cluster/:part` (R7). */
export async function getPart(c: Context<IngressEnv>): Promise<Response> {
  const { key } = askedFor(c);
  const text = await patiently(c, (kv) => kv.get(key));
  if (text === undefined) throw new Refusal(404, problemOf("not-stored", "this part is not stored"));
  return c.body(text, 200, { "content-type": "application/json" });
}

/** `PUT /checkpoint/:cluster/:part` (R7). Whatever is put twice is stored once. */
export async function putPart(c: Context<IngressEnv>): Promise<Response> {
  const { key, part, keyOf } = askedFor(c);
  const { bytes } = c.var;
  const text = decode(bytes);
  const name = await partName(bytes);
  if (part === "index") await putIndex(c, key, text, keyOf);
  else if (part === name) await patiently(c, (kv) => kv.set(key, text, { expireInMs: KEEP_PART_MS }));
  else throw new Refusal(400, problemOf("malformed", `part: must be ${name}, by the content`, { field: "part" }));
  return c.json({ apiVersion: API_VERSION, part: name } satisfies CheckpointAnswer);
}

/**
 * An index follows the one that its writer knows, or is refused: one that was held up does not undo what was written since.
 * Two at the same moment may both pass, since a key-value store compares nothing; a stale checkpoint costs runs, no key.
 */
async function putIndex(
  c: Context<IngressEnv>,
  key: string,
  text: string,
  keyOf: (part: string) => string,
): Promise<void> {
  const index = parseBody(c.var.bytes, checkpointIndex);
  refuseForeign(c, index.cluster);
  if (index.cluster !== c.req.param("cluster"))
    throw new Refusal(400, problemOf("malformed", "cluster: must be the one in the path", { field: "cluster" }));
  await patiently(c, async (kv) => {
    const before = await kv.get(key);
    const stored = before === undefined ? null : await partName(new TextEncoder().encode(before));
    if (before !== text && stored !== index.replaces)
      throw new Refusal(412, problemOf("superseded", "replaces: another index is stored", { field: "replaces" }));
    await kv.set(key, text, { expireInMs: KEEP_PART_MS });
    if (before === undefined || before === text) return;
    const needed = new Set([...index.parts, ...index.retired]);
    const unused = retiredBy(before)
      .filter((name) => !needed.has(name))
      .slice(0, MOST_DELETED);
    await Promise.allSettled(unused.map((name) => kv.delete(keyOf(name))));
  });
}

function retiredBy(text: string): string[] {
  try {
    return checkpointIndex.parse(JSON.parse(text)).retired;
  } catch {
    return []; // of another version
  }
}

/** @throws Refusal 404 without a store, 403 for another cluster's part, 400 for what is no name of one or of a shard. */
function askedFor(c: Context<IngressEnv>): { key: string; part: string; keyOf: (part: string) => string } {
  const { cluster = "", part = "" } = c.req.param();
  refuseForeign(c, cluster);
  if (!c.var.options.kv) throw new Refusal(404, problemOf("not-found", "no checkpoints are kept here"));
  if (part !== "index" && !checkpointPart.safeParse(part).success)
    throw new Refusal(400, problemOf("malformed", "part: must be index or a part's name", { field: "part" }));
  const shard = c.req.query("shard");
  if (shard !== undefined && !label.safeParse(shard).success)
    throw new Refusal(400, problemOf("malformed", "shard: must be a DNS label", { field: "shard" }));
  // A cluster has no colon in its name, so that no failure record has such a key.
  const keyOf = (name: string) => `checkpoint:${cluster}/${shard === undefined ? "" : `${shard}/`}${name}`;
  return { key: keyOf(part), part, keyOf };
}

/** @throws Refusal 503 where the store fails. */
async function patiently<T>(c: Context<IngressEnv>, work: (kv: KeyValue) => Promise<T>): Promise<T> {
  try {
    return await work(c.var.options.kv!);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    c.var.options.logger.error("the KV store failed", { path: c.req.path, error: String(error) });
    throw new Refusal(503, problemOf("unavailable", "the key-value store failed"), { "retry-after": "5" });
  }
}
