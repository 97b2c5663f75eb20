import { expect, it, vi } from "vitest";
import { createApiServer, createVirtualClock } from "../../adapters/testing/index.ts";
import { CONFIG_MAPS, call, configMap } from "./support.ts";
import { openWatch } from "./watch.ts";

const START = Date.UTC(2026, 0, 1);

it("an object's times are the clock's", async () => {
  const clock = createVirtualClock(START);
  const server = createApiServer({ clock });
  const created = await call(server, "POST", CONFIG_MAPS, configMap("a"));
  expect(created.body.metadata.creationTimestamp).toBe("2026-01-01T00:00:00Z");
  await clock.advance(61_000);
  await call(server, "PATCH", `${CONFIG_MAPS}/a`, { metadata: { finalizers: ["example.com/f"] } });
  const { body } = await call(server, "DELETE", `${CONFIG_MAPS}/a`);
  expect(body.metadata.deletionTimestamp).toBe("2026-01-01T00:01:01Z");
});

it("a watch ends after its timeout of the clock's time, and not before", async () => {
  const clock = createVirtualClock(START);
  const server = createApiServer({ clock });
  const watch = await openWatch(server.transport, `${CONFIG_MAPS}?watch=true&timeoutSeconds=300`, {});
  let ended = false;
  const read = watch.read("end").then((events) => {
    ended = true;
    return events;
  });
  await clock.advance(299_999);
  expect(ended).toBe(false);
  await clock.advance(1);
  expect(await read).toEqual([]);
});

it("a watch that asks for bookmarks gets one a minute with the newest version", async () => {
  const clock = createVirtualClock(START);
  const server = createApiServer({ clock });
  const path = `${CONFIG_MAPS}?watch=true&allowWatchBookmarks=true&resourceVersion=${server.revision()}`;
  const response = await server.transport.fetch(path);
  await call(server, "POST", "/api/v1/namespaces/default/secrets", { metadata: { name: "s" } });
  await clock.advance(120_000);
  server.disconnectWatches();
  const events = (await response.text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  const resourceVersion = String(server.revision());
  const bookmark = { type: "BOOKMARK", object: { kind: "ConfigMap", apiVersion: "v1", metadata: { resourceVersion } } };
  expect(events).toEqual([bookmark, bookmark]);
});

it("nothing is armed without a watch", async () => {
  const clock = createVirtualClock(START);
  const setTimer = vi.spyOn(clock, "setTimer");
  const server = createApiServer({ clock });
  await call(server, "POST", CONFIG_MAPS, configMap("a"));
  await call(server, "DELETE", `${CONFIG_MAPS}/a`);
  expect(setTimer).not.toHaveBeenCalled();
  await openWatch(server.transport, `${CONFIG_MAPS}?watch=true&allowWatchBookmarks=true`, {});
  expect(setTimer).toHaveBeenCalledOnce();
});
