import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Pool } from "undici";
import type { KubeApiServerReport } from "./kube-api-server.ts";

const OBJECTS = 10_000;
const AT_ONCE = 32;
const PATH = "/api/v1/namespaces/default/configmaps";
const MERGE_PATCH = { "content-type": "application/merge-patch+json" };

/** What the in-process API server does, from another process over HTTP, with 10,000 ConfigMaps of 1 KB. */
export async function kubeApi(): Promise<[what: string, figure: string][]> {
  const script = fileURLToPath(new URL("./kube-api-server.ts", import.meta.url));
  const server = spawn(process.execPath, ["--expose-gc", "--conditions=sluice-source", script], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const ask = async (): Promise<KubeApiServerReport> => {
    server.send("report");
    return ((await once(server, "message")) as [KubeApiServerReport])[0];
  };
  const empty = ((await once(server, "message")) as [KubeApiServerReport])[0];
  const pool = new Pool(empty.url, { connections: AT_ONCE });
  try {
    const watch = await openWatch(pool);
    const creates = await rate(OBJECTS, (i) =>
      send(pool, "POST", PATH, { "content-type": "application/json" }, configMap(i)),
    );
    await watch.until(OBJECTS);
    const full = await ask();
    const gets = await rate(OBJECTS, (i) => send(pool, "GET", `${PATH}/map-${i}`));
    const begun = performance.now();
    const patches = await rate(OBJECTS, (i) =>
      send(pool, "PATCH", `${PATH}/map-${i}`, MERGE_PATCH, { data: { v: `${i}` } }),
    );
    await watch.until(2 * OBJECTS);
    const events = OBJECTS / ((performance.now() - begun) / 1000);
    const lists = await rate(20, () => send(pool, "GET", `${PATH}?limit=500`), 1);
    return [
      [`creates a second, ${AT_ONCE} at once`, creates.toFixed(0)],
      ["gets a second", gets.toFixed(0)],
      ["merge patches a second", patches.toFixed(0)],
      ["watch events a second, with these patches", events.toFixed(0)],
      ["pages of 500 a second, one at a time", lists.toFixed(0)],
      ["RSS empty, MiB", mib(empty.rss)],
      [`RSS with ${OBJECTS} objects of 1 KB, MiB`, mib(full.rss)],
      ["heap an object, bytes", ((full.heap - empty.heap) / OBJECTS).toFixed(0)],
    ];
  } finally {
    await pool.destroy();
    server.kill();
  }
}

const mib = (bytes: number) => (bytes / 2 ** 20).toFixed(0);

function configMap(i: number): object {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: `map-${i}` }, data: { text: "x".repeat(1_000) } };
}

async function send(
  pool: Pool,
  method: "GET" | "POST" | "PATCH",
  path: string,
  headers: Record<string, string> = {},
  body?: object,
): Promise<void> {
  const answer = await pool.request({ method, path, headers, body: body ? JSON.stringify(body) : null });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 200)}`);
}

/** Calls `work` for 0 to count - 1, several at once. Returns calls a second. */
async function rate(count: number, work: (i: number) => Promise<void>, atOnce = AT_ONCE): Promise<number> {
  let next = 0;
  const begun = performance.now();
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return count / ((performance.now() - begun) / 1000);
}

async function openWatch(pool: Pool): Promise<{ until(events: number): Promise<void> }> {
  const { body } = await pool.request({ method: "GET", path: `${PATH}?watch=1` });
  let seen = 0;
  let look = () => {};
  body.on("data", (chunk: Buffer) => {
    for (const byte of chunk) if (byte === 10) seen++;
    look();
  });
  body.on("error", () => {});
  return {
    until: (events) =>
      new Promise((resolve) => {
        look = () => seen >= events && resolve();
        look();
      }),
  };
}
