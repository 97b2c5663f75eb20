import { expect, test, vi } from "vitest";
import { createIngress } from "../../../functions/http/ingress.ts";
import { recordingLogger } from "../../support/recording-logger.ts";

const NOW = Date.UTC(2026, 0, 1);

const ingress = createIngress({
  manifest: { apiVersion: "sluice.dev/v1", revision: "1", controllers: [] },
  clusters: [{ name: "home", secrets: [`whsec_${btoa("0123456789abcdef0123456789abcdef")}`] }],
  scheduler: undefined as never, // nothing here comes so far
  clock: { now: () => NOW, monotonic: () => 0, setTimer: () => () => {} },
  logger: recordingLogger(),
});

test.each([
  ["without a signature", {}, "missing-signature"],
  [
    "with a stale one",
    { "webhook-id": "a", "webhook-timestamp": String(NOW / 1000 - 301), "webhook-signature": "v1,AA==" },
    "stale-timestamp",
  ],
])("X3 a request %s is refused before its body is read", async (_, headers, code) => {
  const pull = vi.fn();
  const response = await ingress.request("/triggers", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: new ReadableStream({ pull }, { highWaterMark: 0 }),
    duplex: "half",
  } as RequestInit);
  expect(response.status).toBe(401);
  expect(await response.json()).toMatchObject({ error: { code } });
  expect(pull).not.toHaveBeenCalled();
});
