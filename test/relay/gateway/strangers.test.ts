import fc from "fast-check";
import { expect, it } from "vitest";
import { problem } from "../../../functions/contract/index.ts";
import { gatewayUnderTest, manifestWith, rule, STRANGER } from "./gateway-under-test.ts";

const methods = fc.constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE");
const path = fc.webPath().map((text) => (text.startsWith("/") ? text : `/${text}`));
const query = fc.webQueryParameters().map((text) => (text === "" ? "" : `?${text}`));
const names = ["webhook-id", "webhook-timestamp", "webhook-signature", "x-sluice-sent-ms", "x-sluice-deadline-ms"];
const headers = fc.dictionary(
  fc.constantFrom(...names, "x-sluice-controller", "x-sluice-cluster", "content-type", "impersonate-user", "upgrade"),
  fc.oneof(fc.stringMatching(/^[!-~]{0,12}$/), fc.constantFrom("home", "documents", "1767225600", "v1,AAAA", "v1,")),
  { noNullPrototype: true },
);
const body = fc.option(fc.string({ unit: "binary", maxLength: 40 }), { nil: undefined });
const hasBody = (method: string) => !["GET", "HEAD"].includes(method);

it("X3 a stranger is answered 4xx with a problem, whatever comes, and nothing reaches the API server", async () => {
  const { gateway, upstream, logger } = gatewayUnderTest();
  const sent = fc.record({ method: methods, path, query, headers, body });
  await fc.assert(
    fc.asyncProperty(sent, async ({ method, path, query, headers, body }) => {
      const init = { method, headers, ...(hasBody(method) && body !== undefined && { body }) };
      const response = await gateway.fetch(new Request(`https://gateway.test${path}${query}`, init));
      expect(response.status).toBe(401);
      if (method !== "HEAD") expect(problem.safeParse(await response.json()).success).toBe(true);
    }),
    { numRuns: 1_000 },
  );
  expect(upstream).toEqual([]);
  expect(logger.lines).toEqual([]);
});

it("X2 a function that signs whatever it likes is answered 4xx, and gets no further than its rules", async () => {
  const declared = manifestWith({ documents: [rule("configmaps", ["get"])] });
  const { send, upstream } = gatewayUnderTest({}, { declared });
  const sent = fc.record({ method: methods, path, query, body, type: fc.constantFrom("", "application/json", "a/b") });
  await fc.assert(
    fc.asyncProperty(sent, async ({ method, path, query, body, type }) => {
      const whole = { type, ...(hasBody(method) && body !== undefined && { body }) };
      const response = await send(method, `${path}${query}`, whole);
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.status).toBeLessThan(500);
    }),
    { numRuns: 500 },
  );
  expect(upstream).toEqual([]);
  expect((await send("GET", "/api/v1/namespaces/a/configmaps/b", { secrets: [STRANGER] })).status).toBe(401);
});
