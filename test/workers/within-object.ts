import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { ObjectStorage } from "../../adapters/cloudflare-platform.ts";

/** Runs code as if it were the code of a fresh Durable Object. */
export function withinObject<T>(run: (storage: ObjectStorage) => Promise<T>): Promise<T> {
  const stub = env.STORAGE.get(env.STORAGE.newUniqueId());
  return runInDurableObject(stub, (_, { storage }) => run(storage));
}
