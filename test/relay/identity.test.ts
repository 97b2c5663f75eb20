import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock, type VirtualClock } from "../../adapters/testing/virtual-clock.ts";
import { ASK_TIMEOUT_MS } from "../../infra/relay/cluster-uid.ts";
import { CHECK_EVERY_MS, DOUBT_EVERY_MS, followIdentity, type Identity, judge } from "../../infra/relay/identity.ts";
import { recordingLogger } from "../support/recording-logger.ts";
import { createScriptedApi } from "./support/scripted-api.ts";

describe("what a uid says", () => {
  it.each<[string, string | undefined, string | undefined, ReturnType<typeof judge>]>([
    ["b", undefined, undefined, "first"],
    ["b", "b", undefined, "same"],
    ["b", "a", undefined, "other"],
    ["b", "a", "b", "accepted"],
    ["b", undefined, "b", "accepted"],
    ["b", undefined, "a", "other"],
    ["b", "b", "a", "same"],
    ["b", "a", "c", "other"],
  ])("%s where %s was known and %s is accepted: %s", (seen, known, accepted, verdict) => {
    expect(judge(seen, known, accepted)).toBe(verdict);
  });

  it("is never taken for what was known, or accepted, where it is neither", () => {
    const uid = fc.uuid();
    fc.assert(
      fc.property(uid, uid, fc.option(uid, { nil: undefined }), (seen, known, accepted) => {
        fc.pre(seen !== known && seen !== accepted);
        expect(judge(seen, known, accepted)).toBe("other");
      }),
    );
  });
});

describe("the identity of a cluster", () => {
  let clock: VirtualClock;
  let api: ReturnType<typeof createScriptedApi>;
  let logger: ReturnType<typeof recordingLogger>;
  let confirmed: { counts: boolean } | undefined;
  beforeEach(() => {
    clock = createVirtualClock(Date.UTC(2026, 0, 1));
    api = createScriptedApi();
    logger = recordingLogger();
    confirmed = undefined;
  });

  function follow(accept?: string): Identity {
    const identity = followIdentity({ cluster: "home", transport: api, clock, logger, random: () => 0.5, accept });
    void identity.confirmed.then((found) => {
      confirmed = found;
    });
    return identity;
  }

  async function answer(uid: string): Promise<void> {
    await clock.settle();
    api.last().answer(Response.json({ metadata: { name: "kube-system", uid } }));
    await clock.settle();
  }

  it("is the uid of the namespace kube-system, of which only the metadata is asked", async () => {
    const identity = follow();
    await clock.settle();
    expect(api.last().path).toBe("/api/v1/namespaces/kube-system");
    expect(api.last().accept).toContain("as=PartialObjectMetadata");
    expect(identity.status().error).toBe("not asked yet");
    await answer("u1");
    expect(confirmed).toBeUndefined();
    identity.told(undefined);
    await clock.settle();
    expect(confirmed).toEqual({ counts: true });
    expect(await identity.uid()).toBe("u1");
    expect(identity.status()).toEqual({});
  });

  it("that is known goes on at once", async () => {
    const identity = follow();
    identity.told("u1");
    await answer("u1");
    expect(confirmed).toEqual({ counts: true });
    expect(identity.isRight()).toBe(true);
  });

  it("that is another one holds everything, and says which flag accepts it", async () => {
    const identity = follow();
    identity.told("u1");
    await answer("u2");
    expect(confirmed).toBeUndefined();
    expect(identity.isRight()).toBe(false);
    expect(identity.status().error).toMatch(/another cluster.+is u2, not u1\..+--accept-cluster u2/);
    expect(logger.lines.at(-1)).toMatchObject({ level: "error", fields: { error: expect.stringContaining("u2") } });
    expect(await identity.uid()).toBe("u1");
  });

  it("that was another one is right again as soon as it is, and is asked for each minute", async () => {
    const identity = follow();
    identity.told("u1");
    await answer("u2");
    await clock.advance(DOUBT_EVERY_MS);
    await answer("u1");
    expect(confirmed).toEqual({ counts: true });
    expect(identity.status()).toEqual({});
    expect(identity.isRight()).toBe(true);
  });

  it("that is accepted goes on, and what was known does not count", async () => {
    const identity = follow("u2");
    identity.told("u1");
    await answer("u2");
    expect(confirmed).toEqual({ counts: false });
    expect(await identity.uid()).toBe("u2");
    expect(identity.status()).toEqual({});
  });

  it("that becomes another one while the relay runs is noticed", async () => {
    const identity = follow();
    identity.told(undefined);
    await answer("u1");
    await clock.advance(CHECK_EVERY_MS);
    await answer("u2");
    expect(identity.isRight()).toBe(false);
    expect(identity.status().error).toContain("is u2, not u1");
  });

  it("that turns out to be another one only when what was known comes late is noticed", async () => {
    const identity = follow();
    identity.told(undefined);
    await answer("u2");
    expect(confirmed).toEqual({ counts: true });
    identity.told("u1");
    expect(identity.isRight()).toBe(false);
  });

  it("R9 that the relay may not know stops nothing, is told, and asked for again", async () => {
    const identity = follow();
    identity.told("u1");
    await clock.settle();
    api.last().refuse(403, 'namespaces "kube-system" is forbidden');
    await clock.settle();
    expect(confirmed).toEqual({ counts: true });
    expect(await identity.uid()).toBe("u1");
    expect(identity.status().error).toContain("403 GET /api/v1/namespaces/kube-system: ");
    await clock.advance(DOUBT_EVERY_MS);
    await answer("u2");
    expect(identity.isRight()).toBe(false);
  });

  it.each<[string, () => void]>([
    ["an error", () => api.last().refuse(500, "etcd is away")],
    ["patience", () => api.last().refuse(429, "too many requests")],
    ["nothing", () => api.last().break()],
    ["nonsense", () => api.last().answer(new Response("<html>"))],
    ["a namespace without a uid", () => api.last().answer(Response.json({ metadata: {} }))],
  ])("that is answered with %s is asked for again, and nothing goes on before", async (_, trouble) => {
    const identity = follow();
    identity.told("u1");
    await clock.settle();
    trouble();
    await clock.settle();
    expect(identity.status().error).toBeDefined();
    expect(confirmed).toBeUndefined();
    await clock.advance(800);
    await answer("u1");
    expect(confirmed).toEqual({ counts: true });
    expect(api.asked).toHaveLength(2);
  });

  it("that is not answered in time is asked for again", async () => {
    const identity = follow();
    await clock.advance(ASK_TIMEOUT_MS);
    expect(identity.status().error).toContain(`no answer within ${ASK_TIMEOUT_MS} ms`);
    await clock.advance(800);
    expect(api.asked).toHaveLength(2);
  });

  it("is asked for no more after the stop", async () => {
    const identity = follow();
    await answer("u1");
    identity.stop();
    await clock.settle();
    expect(clock.timers).toBe(0);
  });
});
