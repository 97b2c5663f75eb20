import { createApiServer, createVirtualClock } from "sluice/testing";
import { expect, it } from "vitest";
import type { KubeTransport } from "../../../functions/ports/index.ts";
import { startElector } from "../../../infra/relay/leader/elector.ts";
import { holderOf, type Lease } from "../../../infra/relay/leader/lease.ts";
import { recordingLogger } from "../../support/recording-logger.ts";
import { rulesOf } from "./election-world.ts";

const LEASE = "/apis/coordination.k8s.io/v1/namespaces/default/leases/sluice-relay";

function election() {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const server = createApiServer({ clock });
  const told: string[] = [];
  const logger = recordingLogger();
  const cut = new Set<string>();
  return {
    clock,
    told,
    logger,
    /** Nothing of this one's reaches the API server. */
    cut,
    lease: async () => (await server.transport.fetch(LEASE)).json() as Promise<{ spec: object; metadata: object }>,
    edit: (method: string, body?: object) =>
      server.transport.fetch(LEASE, {
        method,
        ...(body && {
          body: JSON.stringify(body),
          headers: { "content-type": "application/merge-patch+json" },
        }),
      }),
    start(identity: string) {
      const transport: KubeTransport = {
        fetch: (path, init) => (cut.has(identity) ? new Promise(() => {}) : server.transport.fetch(path, init)),
      };
      return startElector({
        rules: { ...rulesOf(identity), lease: { namespace: "default", name: "sluice-relay" } },
        ...{ transport, clock, logger, random: () => 0.5 },
        onLead: () => told.push(`${identity} leads`),
        onFollow: () => told.push(`${identity} follows`),
      });
    },
  };
}

it("R10 one of two leads, and both know who", async () => {
  const { clock, told, start, lease } = election();
  const a = start("a");
  await clock.settle();
  const b = start("b");
  await clock.advance(60_000);
  expect(told).toEqual(["a leads"]);
  expect(a.status()).toEqual({ leads: true, holder: "a" });
  expect(b.status()).toEqual({ leads: false, holder: "a" });
  expect((await lease()).spec).toMatchObject({
    ...{ holderIdentity: "a", leaseDurationSeconds: 15, leaseTransitions: 0 },
    ...{ acquireTime: "2026-01-01T00:00:00.000000Z", renewTime: "2026-01-01T00:01:00.000000Z" },
  });
});

it("R10 a leader that is cut off follows after 10 s, and the other leads within 15 s and a look", async () => {
  const { clock, told, cut, start } = election();
  const a = start("a");
  await clock.settle();
  const b = start("b");
  await clock.advance(4_000);
  cut.add("a");
  await clock.advance(9_900);
  expect(a.leads()).toBe(true);
  await clock.advance(200);
  expect(told).toEqual(["a leads", "a follows"]);
  expect(b.leads()).toBe(false);
  await clock.advance(8_000);
  expect(told).toEqual(["a leads", "a follows", "b leads"]);
  expect(a.status().error).toMatch(/no answer within 5000 ms/);
  cut.clear();
  await clock.advance(10_000);
  expect(a.status()).toEqual({ leads: false, holder: "b" });
});

it("R10 a clean stop hands over at the other's next look", async () => {
  const { clock, told, start, lease } = election();
  const a = start("a");
  await clock.settle();
  start("b");
  await clock.advance(4_000);
  await Promise.all([a.stop(), clock.settle()]);
  expect(holderOf((await lease()) as Lease)).toBeUndefined();
  await clock.advance(2_500);
  expect(told).toEqual(["a leads", "a follows", "b leads"]);
  expect((await lease()).spec).toMatchObject({ holderIdentity: "b", leaseTransitions: 1 });
});

it("keeps what others write on the Lease, and leads on", async () => {
  const { clock, told, edit, start, lease } = election();
  start("a");
  await clock.settle();
  await edit("PATCH", { metadata: { labels: { team: "a" } }, spec: { strategy: "OldestEmulationVersion" } });
  await clock.advance(30_000);
  expect(told).toEqual(["a leads"]);
  expect(await lease()).toMatchObject({
    metadata: { labels: { team: "a" } },
    spec: { strategy: "OldestEmulationVersion", renewTime: "2026-01-01T00:00:30.000000Z" },
  });
});

it("makes the Lease again where somebody deletes it", async () => {
  const { clock, told, edit, start, lease } = election();
  start("a");
  await clock.advance(4_000);
  await edit("DELETE");
  await clock.advance(6_000);
  expect(told).toEqual(["a leads"]);
  expect((await lease()).spec).toMatchObject({ holderIdentity: "a" });
});

it("says once why the Lease is out of reach, and that it can be reached again", async () => {
  const { clock, cut, start, logger } = election();
  cut.add("a");
  const a = start("a");
  await clock.advance(30_000);
  expect(a.status()).toMatchObject({ leads: false, error: expect.stringContaining("no answer") });
  cut.clear();
  await clock.advance(10_000);
  expect(a.leads()).toBe(true);
  expect(logger.lines.map(({ message }) => message)).toEqual([
    "the lease cannot be reached, trying again",
    "the lease can be reached again",
    "this relay leads",
  ]);
});

it("leaves no timer behind", async () => {
  const { clock, start } = election();
  const a = start("a");
  await clock.advance(5_000);
  await Promise.all([a.stop(), clock.settle()]);
  expect(clock.timers).toBe(0);
});
