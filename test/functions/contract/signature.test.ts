import { readFileSync } from "node:fs";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { isSecret, type SignatureHeaders, sign, verify } from "../../../functions/contract/index.ts";

type Valid = {
  name: string;
  secrets: string[];
  id: string;
  timestamp: number;
  bodyBase64: string;
  signature: string;
};
type Invalid = Omit<Valid, "name" | "timestamp"> & {
  why: string;
  code: string;
  timestamp: string;
  nowSeconds: number;
};

const path = new URL("../../vectors/v1/signature.json", import.meta.url);
const vectors = JSON.parse(readFileSync(path, "utf8")) as { valid: Valid[]; invalid: Invalid[] };
const bytesOf = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, "base64"));
const secretOf = (bytes: Uint8Array): string => `whsec_${Buffer.from(bytes).toString("base64")}`;
const headersOf = (id: string, timestamp: string, signature: string): Headers =>
  new Headers({ "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature });

describe("golden signatures", () => {
  it.each(vectors.valid)("X1 signs $name", async ({ secrets, id, timestamp, bodyBase64, signature }) => {
    const headers = await sign(secrets, { id, now: timestamp * 1000 + 999, body: bytesOf(bodyBase64) });
    expect(headers).toEqual({
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signature,
    });
  });

  it.each(vectors.valid)("X1 verifies $name with each secret, and tells which", async (vector) => {
    const { secrets, id, timestamp, bodyBase64, signature } = vector;
    for (const secret of secrets) {
      const headers = headersOf(id, String(timestamp), signature);
      const verified = await verify([secret], headers, { now: timestamp * 1000, body: bytesOf(bodyBase64) });
      expect(verified).toEqual({ ok: true, id, secret });
    }
  });

  it.each(vectors.invalid)("X1 refuses $why", async (vector) => {
    const { secrets, id, timestamp, signature, nowSeconds, bodyBase64, code } = vector;
    const headers = headersOf(id, timestamp, signature);
    const verified = await verify(secrets, headers, { now: nowSeconds * 1000, body: bytesOf(bodyBase64) });
    expect(verified).toMatchObject({ ok: false, code });
  });
});

describe("with the reference implementation of Standard Webhooks", () => {
  const secretBytes = fc.uint8Array({ minLength: 24, maxLength: 64 });
  const id = fc.stringMatching(/^[\w-]{1,40}$/);
  const second = fc.integer({ min: 1_500_000_000, max: 4_000_000_000 });

  it("X1 what we sign, it verifies", async () => {
    await fc.assert(
      fc.asyncProperty(secretBytes, id, fc.string({ unit: "binary" }), async (bytes, messageId, body) => {
        const secret = secretOf(bytes);
        const message = { id: messageId, now: Date.now(), body: new TextEncoder().encode(body) };
        const headers: SignatureHeaders = await sign([secret], message);
        new Webhook(secret).verify(body, headers, { jsonParse: false });
      }),
    );
  });

  it("X1 what it signs, we verify", async () => {
    await fc.assert(
      fc.asyncProperty(secretBytes, id, second, fc.string({ unit: "binary" }), async (bytes, messageId, at, text) => {
        const secret = secretOf(bytes);
        const signature = new Webhook(secret).sign(messageId, new Date(at * 1000), text);
        const body = new TextEncoder().encode(text);
        const verified = await verify([secret], headersOf(messageId, String(at), signature), { now: at * 1000, body });
        expect(verified).toEqual({ ok: true, id: messageId, secret });
      }),
    );
  });
});

describe("rotation", () => {
  const old = secretOf(new Uint8Array(24).fill(1));
  const next = secretOf(new Uint8Array(24).fill(2));
  const now = 1_767_225_600_000;
  const body = new TextEncoder().encode("{}");
  const signedWith = async (secrets: string[]) => new Headers(await sign(secrets, { id: "m", now, body }));

  it("X1 a receiver that knows both secrets accepts either sender", async () => {
    expect(await verify([old, next], await signedWith([old]), { now, body })).toMatchObject({ secret: old });
    expect(await verify([old, next], await signedWith([next]), { now, body })).toMatchObject({ secret: next });
  });

  it("X1 a sender that signs with both is accepted by either receiver", async () => {
    const headers = await signedWith([old, next]);
    expect(await verify([old], headers, { now, body })).toMatchObject({ ok: true });
    expect(await verify([next], headers, { now, body })).toMatchObject({ ok: true });
  });
});

describe("secrets", () => {
  it.each([
    ["24 bytes", secretOf(new Uint8Array(24)), true],
    ["64 bytes", secretOf(new Uint8Array(64)), true],
    ["23 bytes", secretOf(new Uint8Array(23)), false],
    ["65 bytes", secretOf(new Uint8Array(65)), false],
    ["no prefix", secretOf(new Uint8Array(24)).slice(6), false],
    ["no base64", `whsec_${"#".repeat(32)}`, false],
    ["nothing", "", false],
  ])("X1 %s", (_, secret, expected) => {
    expect(isSecret(secret)).toBe(expected);
  });

  it("X4 an unusable secret is not quoted", async () => {
    const secret = "whsec_hunter2";
    const error = await sign([secret], { id: "m", now: 0, body: new Uint8Array() }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).not.toContain("hunter2");
  });
});
