import { beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock, type VirtualClock } from "../../adapters/testing/virtual-clock.ts";
import { createIngress } from "../../infra/relay/deliver/ingress.ts";
import { followRevisions, type Revisions } from "../../infra/relay/plan/revisions.ts";
import { recordingLogger } from "../support/recording-logger.ts";
import { documents, manifestOf, relationOf } from "./support/objects.ts";
import { createScriptedIngress, type ScriptedIngress, secret } from "./support/scripted-ingress.ts";

const declared = (revision: string) => ({
  ...manifestOf({ docs: [relationOf({ watch: { resource: documents } })] }),
  revision,
});

let clock: VirtualClock;
let ingress: ScriptedIngress;
let adopted: string[];
let revisions: Revisions;

beforeEach(async () => {
  clock = createVirtualClock(Date.UTC(2026, 0, 1));
  ingress = createScriptedIngress(clock);
  adopted = [];
  revisions = followRevisions({
    ingress: createIngress({ ingress, secrets: [secret], clock }),
    clock,
    logger: recordingLogger(),
    random: () => 0.5,
    onAdopted: ({ revision }) => void adopted.push(revision),
  });
  await clock.settle();
});

async function answer(revision: string): Promise<void> {
  ingress.last().answer(Response.json(declared(revision), { headers: { etag: `"${revision}"` } }));
  await clock.settle();
}

async function unchanged(): Promise<void> {
  ingress.last().answer(new Response(null, { status: 304 }));
  await clock.settle();
}

const tag = () => ingress.last().headers.get("if-none-match");

describe("R12 GET /manifest", () => {
  it("is asked once a minute, with the tag of the answer before", async () => {
    expect(tag()).toBeNull();
    await answer("r1");
    expect(adopted).toEqual(["r1"]);
    await clock.advance(59_999);
    expect(ingress.asked).toHaveLength(1);
    await clock.advance(1);
    expect(ingress.asked).toHaveLength(2);
    expect(tag()).toBe('"r1"');
    await unchanged();
    await clock.advance(60_000);
    expect(tag()).toBe('"r1"');
    expect(adopted).toEqual(["r1"]);
  });

  it("adopts a revision that is still there a minute later, by its tag", async () => {
    await answer("r1");
    await clock.advance(60_000);
    await answer("r2");
    expect(adopted).toEqual(["r1"]);
    await clock.advance(60_000);
    expect(tag()).toBe('"r2"');
    await unchanged();
    expect(adopted).toEqual(["r1", "r2"]);
    expect(revisions.status()).toEqual({ revision: "r2" });
  });

  it("does not adopt one that flaps", async () => {
    await answer("r1");
    for (const revision of ["r2", "r1", "r2", "r1", "r2"]) {
      await clock.advance(60_000);
      await answer(revision);
    }
    expect(adopted).toEqual(["r1"]);
  });

  it("waits longer for one while answers to other requests tell another", async () => {
    await answer("r1");
    await clock.advance(60_000);
    await answer("r2");
    for (let minute = 0; minute < 3; minute++) {
      await clock.advance(30_000);
      revisions.told("r1");
      await clock.advance(30_000);
      await unchanged();
    }
    expect(adopted).toEqual(["r1"]);
    await clock.advance(60_000);
    await unchanged();
    expect(adopted).toEqual(["r1", "r2"]);
  });

  it("is asked in between where somebody has to know, once at a time, which hastens no adoption", async () => {
    await answer("r1");
    await clock.advance(30_000);
    void revisions.ask();
    const asked = revisions.ask();
    await clock.settle();
    expect(ingress.asked).toHaveLength(2);
    await answer("r2");
    await asked;
    await clock.advance(30_000);
    await unchanged();
    expect(adopted).toEqual(["r1"]);
    await clock.advance(60_000);
    await unchanged();
    expect(adopted).toEqual(["r1", "r2"]);
  });

  it("that fails leaves the revision as it is, shows why, and is asked again in a minute", async () => {
    await answer("r1");
    await clock.advance(60_000);
    ingress.last().refuse(503, "unavailable");
    await clock.settle();
    expect(revisions.status()).toEqual({ revision: "r1", error: "GET /manifest: 503 unavailable" });
    await clock.advance(59_999);
    expect(ingress.asked).toHaveLength(2);
    await clock.advance(1);
    await unchanged();
    expect(revisions.status()).toEqual({ revision: "r1" });
  });

  it("adopts no manifest whose watches cannot be planned", async () => {
    await answer("r1");
    const byLabel = relationOf({ watch: { resource: documents }, mapping: { by: "label", label: "x" } });
    for (let minute = 0; minute < 3; minute++) {
      await clock.advance(60_000);
      ingress.last().answer(Response.json({ ...manifestOf({ broken: [byLabel] }), revision: "r2" }));
      await clock.settle();
    }
    expect(adopted).toEqual(["r1"]);
    expect(revisions.status().error).toContain("controller broken");
  });

  it("of functions that give no tag is read in full each time", async () => {
    ingress.last().answer(Response.json(declared("r1")));
    for (let minute = 0; minute < 2; minute++) {
      await clock.advance(60_000);
      expect(tag()).toBeNull();
      ingress.last().answer(Response.json(declared("r2")));
      await clock.settle();
    }
    expect(adopted).toEqual(["r1", "r2"]);
  });

  it("is asked no more after a stop", async () => {
    await answer("r1");
    revisions.stop();
    await clock.advance(3_600_000);
    expect(ingress.asked).toHaveLength(1);
    expect(clock.timers).toBe(0);
  });
});
