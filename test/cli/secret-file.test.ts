import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createVirtualClock, type VirtualClock } from "../../adapters/testing/virtual-clock.ts";
import { verify } from "../../functions/contract/index.ts";
import { followSecretFile, SECRET_FILE_INTERVAL_MS, type SecretFile } from "../../infra/cli/secret-file.ts";
import { createIngress } from "../../infra/relay/deliver/ingress.ts";
import { recordingLogger } from "../support/recording-logger.ts";

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString("base64")}`;
const [old, next] = [secretOf(1), secretOf(2)];

let file: string;
let dir: string;
let clock: VirtualClock;
let logger: ReturnType<typeof recordingLogger>;
let hidden: string[];
let followed: SecretFile | undefined;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "sluice-secret-"));
  file = join(dir, "secret");
  clock = createVirtualClock(Date.UTC(2026, 0, 1));
  logger = recordingLogger();
  hidden = [];
});
afterEach(() => {
  followed?.stop();
  followed = undefined;
  rmSync(dir, { recursive: true, force: true });
});

async function follow(text: string): Promise<SecretFile> {
  writeFileSync(file, text);
  followed = await followSecretFile(file, { clock, logger, onSecret: (secret) => void hidden.push(secret) });
  return followed;
}

/** Lets the time pass after which it is read again, and waits for what is expected of that. */
async function readAgain(text: string | undefined, expectation: () => void): Promise<void> {
  if (text === undefined) rmSync(file, { force: true });
  else writeFileSync(file, text);
  await clock.advance(SECRET_FILE_INTERVAL_MS);
  await vi.waitFor(expectation, { timeout: 10_000 });
}

describe("secrets in a file", () => {
  it("are read at once, several with blanks between", async () => {
    const { secrets } = await follow(`${old}\n${next}\n`);
    expect(secrets).toEqual([old, next]);
    expect(hidden).toEqual([old, next]);
  });

  it("are replaced in place, and a request is signed with the new one from then on", async () => {
    const { secrets } = await follow(old);
    const seen: { headers: Headers; body: Uint8Array<ArrayBuffer> }[] = [];
    const ingress = createIngress({
      ...{ secrets, clock },
      ingress: {
        async fetch(_, { headers, body = new Uint8Array() }) {
          seen.push({ headers: new Headers(headers), body });
          return new Response();
        },
      },
    });
    await ingress.send("POST", "/wake");
    await readAgain(next, () => expect(secrets).toEqual([next]));
    await ingress.send("POST", "/wake");
    const accepted = async (by: string) =>
      Promise.all(seen.map(async ({ headers, body }) => (await verify([by], headers, { now: clock.now(), body })).ok));
    expect(await accepted(old)).toEqual([true, false]);
    expect(await accepted(next)).toEqual([false, true]);
  });

  it("X4 that are new are hidden before they are used, and none is in the log", async () => {
    await follow(old);
    await readAgain(`${old} ${next}`, () => expect(hidden).toEqual([old, next]));
    expect(logger.lines).toEqual([
      { level: "info", message: "the secrets were replaced", fields: { file, secrets: 2 } },
    ]);
    await readAgain(`${old} ${next}`, () => expect(clock.timers).toBe(1));
    expect(logger.lines).toHaveLength(1);
  });

  it.each([
    ["gone", undefined, "cannot be read: ENOENT"],
    ["empty", "", "must hold whsec_"],
    ["something else", "hunter2", "must hold whsec_"],
  ])("that are %s for a while leave the old ones, and say so once", async (_, text, error) => {
    const { secrets } = await follow(old);
    await readAgain(text, () => expect(logger.lines).toHaveLength(1));
    await readAgain(text, () => expect(clock.timers).toBe(1));
    expect(secrets).toEqual([old]);
    expect(logger.lines).toMatchObject([{ level: "error", fields: { error: expect.stringContaining(error) } }]);
    expect(JSON.stringify(logger.lines)).not.toContain("hunter2");
    await readAgain(next, () => expect(secrets).toEqual([next]));
  });

  it.each([
    ["hunter2", "must hold whsec_ and 24 to 64 bytes in base64"],
    [" ", "must hold whsec_ and 24 to 64 bytes in base64"],
  ])("that are none, %j, are refused by the name of their option", async (text, message) => {
    const refused = await follow(text).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(TypeError);
    expect(String(refused)).toContain(`--secret-file (SLUICE_SECRET_FILE) ${file} ${message}`);
    expect(String(refused)).not.toContain("hunter2");
  });

  it("are read no more after the stop", async () => {
    const { stop } = await follow(old);
    stop();
    expect(clock.timers).toBe(0);
  });
});
