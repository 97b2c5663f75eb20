import { env, exports } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { systemClock } from "../../adapters/runtime/system-clock.ts";
import { createCheckpoint } from "../../infra/relay/checkpoint/checkpoint.ts";
import { createIngress } from "../../infra/relay/deliver/ingress.ts";
import { stateWith } from "../relay/checkpoint/states.ts";
import { recordingLogger } from "../support/recording-logger.ts";
import { useWorker } from "./worker-under-test.ts";

useWorker();

function relay() {
  const ingress = createIngress({
    ingress: { fetch: (path, init) => exports.default.fetch(`http://worker.test${path}`, init) },
    ...{ secrets: [env.SLUICE_SECRET], clock: systemClock },
  });
  return createCheckpoint({ cluster: "home", ingress, clock: systemClock, logger: recordingLogger() });
}

test("R7 a checkpoint is kept in Workers KV: one changed object is two writes", async () => {
  const put = vi.spyOn(env.SLUICE_KV, "put");
  const checkpoint = relay();
  expect(await checkpoint.save(stateWith(2_000))).toBe(true);
  const first = put.mock.calls.length;
  expect(await checkpoint.save(stateWith(2_000, (i) => (i === 7 ? { version: "2" } : {})))).toBe(true);
  expect(put.mock.calls.length).toBe(first + 2);
  const [watch] = (await relay().load())!.watches;
  expect([...watch!.records]).toHaveLength(2_000);
  expect(new Map(watch!.records).get("default/document-7")).toMatchObject({ version: "2" });
});
