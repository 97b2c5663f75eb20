import { expect, it } from "vitest";
import { checkMac } from "../../adapters/runtime/node/check-mac.ts";
import { sign, verify } from "../../functions/contract/index.ts";

const secretOf = (byte: number) => `whsec_${Buffer.alloc(24, byte).toString("base64")}`;
const now = Date.UTC(2026, 0, 1);
const body = new TextEncoder().encode('{"a":1}');

it("X1 Node's own way finds the secret that a body was signed with, as Web Crypto does", async () => {
  const headers = new Headers(await sign([secretOf(2)], { id: "1", now, body }));
  for (const check of [checkMac, undefined])
    expect(await verify([secretOf(1), secretOf(2)], headers, { now, body }, check)).toEqual({
      ok: true,
      id: "1",
      secret: secretOf(2),
    });
});

it.each([
  ["another body", { body: new Uint8Array(), mac: undefined }],
  ["a MAC that is cut short", { body, mac: "v1,AAAA" }],
  ["another MAC of the same length", { body, mac: `v1,${Buffer.alloc(32).toString("base64")}` }],
])("X1 refuses %s", async (_, { body: read, mac }) => {
  const signed = await sign([secretOf(1)], { id: "1", now, body });
  const headers = new Headers({ ...signed, ...(mac && { "webhook-signature": mac }) });
  expect(await verify([secretOf(1)], headers, { now, body: read }, checkMac)).toMatchObject({ code: "bad-signature" });
});

it("X1 signs nothing with a secret of another form, and tells nothing of it", () => {
  const check = () => checkMac("whsec_", new Uint8Array(32), new Uint8Array());
  expect(check).toThrow(new TypeError("a secret must be whsec_ and 24 to 64 bytes in base64"));
});
