import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { awaitChange, defineController } from "sluice";
import { ConfigMap } from "sluice/kinds";
import { serve } from "sluice/node";
import { createApiServer } from "sluice/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { spawnProcess } from "../cluster/support/process-under-test.ts";

const LIMIT = { timeoutMs: 20_000 };
const folder = mkdtempSync(join(tmpdir(), "sluice-serve-"));
const kubeconfig = join(folder, "kubeconfig");
const server = createApiServer();
let listener: Awaited<ReturnType<typeof server.listen>>;

beforeAll(async () => {
  listener = await server.listen();
  writeFileSync(kubeconfig, kubeconfigText(listener.url));
  await server.transport.fetch("/api/v1/namespaces/default/configmaps", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } }),
  });
});
afterAll(async () => {
  await listener.close();
  rmSync(folder, { recursive: true, force: true });
});

function kubeconfigText(server: string): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "test", cluster: { server } }],
    users: [{ name: "test", user: {} }],
    contexts: [{ name: "test", context: { cluster: "test", user: "test" } }],
    "current-context": "test",
  });
}

const spawnServing = (name: string, holdMs: number | "forgets", options: { config?: string; port?: number } = {}) =>
  spawnProcess({
    script: join(import.meta.dirname, "serving-child.ts"),
    args: [
      ...[options.config ?? kubeconfig, join(folder, name), String(holdMs)],
      ...(options.port === undefined ? [] : [String(options.port)]),
    ],
  });

test("what is stopped has ended, and leaves no listener behind, however often a process serves", async () => {
  const events = ["SIGTERM", "SIGINT", "unhandledRejection"];
  const counts = () => events.map((event) => process.listenerCount(event));
  const seen: number[][] = [];
  for (let times = 0; times < 2; times++) {
    const running = await serve({
      controllers: [defineController()({ name: "maps", for: ConfigMap, reconcile: () => awaitChange() })],
      clusters: () => [{ name: "test", transport: createApiServer().transport }],
      stateDir: join(folder, "stopped"),
      logLevel: "error",
    });
    await running.stop();
    await running.ended;
    seen.push(counts());
  }
  expect(seen[1]).toEqual(seen[0]);
});

test("SIGTERM starts no new run, lets the running one finish, and ends with code 0", async () => {
  await using app = spawnServing("graceful", 1_000);
  await app.printed("running", LIMIT);
  expect(await app.terminate()).toEqual({ code: 0, signal: null });
  expect(app.stdout.filter((line) => line === "running")).toHaveLength(1);
  expect(app.stdout.slice(-2)).toEqual(["finished", "ended"]);
});

test("a second signal ends it at once, with code 0", async () => {
  await using app = spawnServing("twice", 60_000);
  await app.printed("running", LIMIT);
  let exit: unknown;
  void app.exited.then((how) => {
    exit = how;
  });
  // Through npm the first one may come twice within a moment; only a later one is a second signal.
  const signalled = () => {
    void app.terminate();
    return exit;
  };
  await expect.poll(signalled, { interval: 300, timeout: 20_000 }).toEqual({ code: 0, signal: null });
  expect(app.stdout).not.toContain("finished");
});

test("SIGTERM before the first lists ends it with code 0, too", async () => {
  const nowhere = join(folder, "nowhere");
  writeFileSync(nowhere, kubeconfigText("http://127.0.0.1:9"));
  await using app = spawnServing("unsynced", 0, { config: nowhere, port: 0 });
  await app.printed(/^http:/, LIMIT); // it serves, and its relay finds no API server
  expect(await app.terminate()).toEqual({ code: 0, signal: null });
  expect(app.stdout.slice(-2)).toEqual(["stopped before it was synced", "ended"]);
});

test("X3 a client that sends slowly keeps it from ending no longer than a run would", async () => {
  await using app = spawnServing("slow", 0, { port: 0 });
  const url = new URL(await app.printed(/^http:/, LIMIT));
  await app.printed("synced", LIMIT);
  const client = connect(Number(url.port), url.hostname);
  client.on("error", () => {});
  await new Promise((resolve) => client.once("connect", resolve));
  client.write("POST /triggers HTTP/1.1\r\nhost: a\r\ncontent-length: 900000\r\n");
  expect(await app.terminate()).toEqual({ code: 0, signal: null });
  client.destroy();
});

test("a process that is killed and started again on its state runs what it had accepted", async () => {
  const first = spawnServing("killed", 60_000);
  await first.printed("running", LIMIT);
  await first.kill9();
  await using second = spawnServing("killed", 0);
  await second.printed("finished", LIMIT);
});

test("a promise that a run forgot to await ends no process: it is logged", async () => {
  await using app = spawnServing("forgetful", "forgets");
  await app.complained(/a promise was rejected that nobody awaited.*nobody awaits this/, LIMIT);
  await app.printed("finished", LIMIT);
  expect(await app.terminate()).toEqual({ code: 0, signal: null });
});

test("a state folder that another process uses is refused by name", async () => {
  await using first = spawnServing("taken", 0);
  await first.printed("synced", LIMIT);
  const other = serve({
    controllers: [],
    clusters: () => [{ name: "home", kubeconfig }],
    stateDir: join(folder, "taken"),
  });
  await expect(other).rejects.toThrow("is in use by another process");
});

test("a transport of one's own is a way to an API server, as that of `sluice/testing`", async () => {
  const runs: string[] = [];
  const maps = defineController()({
    name: "maps",
    for: ConfigMap,
    reconcile({ metadata }) {
      runs.push(metadata.name);
      return awaitChange();
    },
  });
  const clusters = () => [{ name: "test", transport: server.transport }];
  const running = await serve({ controllers: [maps], clusters, stateDir: join(folder, "own"), logLevel: "error" });
  await expect.poll(() => runs, { timeout: 20_000 }).toEqual(["a"]);
  await running.stop();
});

test("a port that is taken is refused, and leaves nothing open or running", async () => {
  const taken = await server.listen();
  const port = Number(new URL(taken.url).port);
  const stateDir = join(folder, "port");
  const options = {
    controllers: [],
    clusters: () => [{ name: "home", kubeconfig }],
    stateDir,
    logLevel: "error" as const,
  };
  await expect(serve({ ...options, listen: { port, host: "127.0.0.1" } })).rejects.toThrow("EADDRINUSE");
  await taken.close();
  const second = await serve({ ...options, listen: { port, host: "127.0.0.1" } });
  await second.stop();
});

test.each([
  ["no cluster", [], "clusters: must name at least 1"],
  ["a name that is no DNS label", [{ name: "Home" }], "clusters[0].name: must be a DNS label"],
  ["two of one name", [{ name: "a" }, { name: "a" }], "clusters[1].name: another cluster is named a"],
  [
    "a relay apart without a secret",
    [{ name: "a", relay: "apart" as const }],
    "clusters[0].secrets: a relay that runs apart",
  ],
  ["a secret of another form", [{ name: "a", secrets: ["hunter2"] }], "clusters[0].secrets: each must be whsec_"],
  ["a gateway that is no URL", [{ name: "a", gateway: "home" }], "clusters[0].gateway: must be an http or https URL"],
  ["a gateway with a password", [{ name: "a", gateway: "https://u:hunter2@a.test" }], "clusters[0].gateway: must be"],
  ["a gateway with a query", [{ name: "a", gateway: "https://a.test?b" }], "clusters[0].gateway: must be"],
  [
    "a gateway beside a kubeconfig",
    [{ name: "a", gateway: "https://a.test", kubeconfig: "b" }],
    "clusters[0].kubeconfig: must be left out",
  ],
  [
    "a gateway with an embedded relay",
    [{ name: "a", gateway: "https://a.test", relay: "embedded" as const }],
    'clusters[0].relay: must be "apart"',
  ],
  ["a gateway without a secret", [{ name: "a", gateway: "https://a.test" }], "clusters[0].secrets: a relay that runs"],
  ["a kubeconfig that is not there", [{ name: "a", kubeconfig: "/nowhere/kubeconfig" }], "/nowhere/kubeconfig"],
])("%s is refused, and the field is named", async (_, clusters, message) => {
  await expect(serve({ controllers: [], clusters: () => clusters, stateDir: join(folder, "refused") })).rejects.toThrow(
    message,
  );
});
