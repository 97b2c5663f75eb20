import { expect, test, vi } from "vitest";
import { createVirtualClock } from "../../adapters/testing/virtual-clock.ts";
import { createIngress } from "../../infra/relay/deliver/ingress.ts";
import { messageOf } from "../../infra/relay/message.ts";

test("X3 an answer without end is cut off, and its connection let go of", async () => {
  const cancelled = vi.fn();
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(1_000_000).fill(32)),
    cancel: cancelled,
  });
  const ingress = createIngress({
    ingress: { fetch: async () => new Response(body) },
    secrets: [],
    clock: createVirtualClock(0),
  });
  await expect(ingress.send("GET", "/manifest")).rejects.toThrow("the answer is larger than 4194304 bytes");
  expect(cancelled).toHaveBeenCalledOnce();
});

test.each([
  [new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") }), "fetch failed: connect ECONNREFUSED"],
  [
    new TypeError("no answer: connect ECONNREFUSED", { cause: new Error("connect ECONNREFUSED") }),
    "no answer: connect ECONNREFUSED",
  ],
  ["text", "text"],
])("a failure is logged with its cause, once", (error, message) => {
  expect(messageOf(error)).toBe(message);
});
