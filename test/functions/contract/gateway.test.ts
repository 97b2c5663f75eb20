import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type GatewayCall,
  gatewayContent,
  MAX_RUN_MS,
  signGatewayCall,
  verify,
} from "../../../functions/contract/index.ts";

type Call = Omit<GatewayCall, "body">;
type Valid = {
  name: string;
  secrets: string[];
  id: string;
  nowMs: number;
  remainingMs: number;
  call: Call;
  bodyBase64: string;
  timestamp: number;
  sentMs: string;
  deadlineMs: string;
  signature: string;
};
type Invalid = Pick<Valid, "secrets" | "id" | "call" | "bodyBase64" | "sentMs" | "deadlineMs" | "signature"> & {
  why: string;
  timestamp: string;
  code: string;
};

const path = new URL("../../vectors/v1/gateway.json", import.meta.url);
const vectors = JSON.parse(readFileSync(path, "utf8")) as { valid: Valid[]; invalid: Invalid[] };
const bytesOf = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, "base64"));

describe("golden signatures of the gateway", () => {
  it.each(vectors.valid)("X1 S5 signs $name", async (vector) => {
    const { secrets, id, nowMs, remainingMs, call, bodyBase64, timestamp, sentMs, deadlineMs, signature } = vector;
    const whole = { ...call, body: bytesOf(bodyBase64) };
    expect(await signGatewayCall(secrets, whole, { id, now: nowMs, remainingMs })).toEqual({
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signature,
      "x-sluice-cluster": call.cluster,
      "x-sluice-controller": call.controller,
      "x-sluice-sent-ms": sentMs,
      "x-sluice-deadline-ms": deadlineMs,
    });
  });

  it.each(vectors.invalid)("X1 refuses $why", async (vector) => {
    const { secrets, id, timestamp, call, bodyBase64, sentMs, deadlineMs, signature, code } = vector;
    const headers = new Headers({
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": signature,
    });
    const body = gatewayContent({ ...call, body: bytesOf(bodyBase64) }, { sentMs, deadlineMs });
    expect(await verify(secrets, headers, { now: 1_767_225_600_000, body })).toMatchObject({ ok: false, code });
  });
});

describe("what is signed on the gateway", () => {
  const line = fc.stringMatching(/^[!-~]{0,12}$/);
  const call = fc.record({
    cluster: line,
    controller: line,
    method: line,
    path: line,
    contentType: line,
    body: fc.uint8Array({ maxLength: 20 }),
  });

  const times = fc.record({ sentMs: line, deadlineMs: line });

  it("X1 no two requests share a content", () => {
    fc.assert(
      fc.property(call, times, call, times, (a, timesA, b, timesB) => {
        const same = JSON.stringify([a, timesA]) === JSON.stringify([b, timesB]);
        const contents = [gatewayContent(a, timesA), gatewayContent(b, timesB)].map((bytes) => bytes.join());
        expect(contents[0] === contents[1]).toBe(same);
      }),
    );
  });

  it("S5 tells the instant at which the run ends, within a millisecond and never a later one", async () => {
    const secret = `whsec_${Buffer.alloc(24).toString("base64")}`;
    const whole = { cluster: "a", controller: "b", method: "GET", path: "/", contentType: "", body: bytesOf("") };
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 }),
        fc.double({ min: 0.001, max: MAX_RUN_MS, noNaN: true }),
        async (now, remainingMs) => {
          const headers = await signGatewayCall([secret], whole, { id: "1", now, remainingMs });
          expect(headers["x-sluice-sent-ms"]).toBe(String(now));
          const cutOff = remainingMs - Number(headers["x-sluice-deadline-ms"]);
          expect(cutOff).toBeGreaterThanOrEqual(0);
          expect(cutOff).toBeLessThan(1);
        },
      ),
    );
  });
});
