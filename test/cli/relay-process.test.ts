import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listenOn } from "../../adapters/runtime/node/listen.ts";
import { verify } from "../../functions/contract/index.ts";
import { type ProcessUnderTest, spawnProcess } from "../cluster/support/process-under-test.ts";
import { readExposition } from "../relay/support/exposition.ts";
import { awayKubeconfig } from "./away-kubeconfig.ts";

const main = join(import.meta.dirname, "../../infra/cli/main.ts");
const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const limit = { timeoutMs: 20_000 };

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "sluice-relay-"));
  awayKubeconfig(dir);
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** A relay whose cluster and functions are away, unless told otherwise. */
function relay(args: readonly string[] = ["--metrics-port", "0"], env: Record<string, string> = {}): ProcessUnderTest {
  return spawnProcess({
    script: main,
    args: ["relay", ...args],
    env: {
      KUBECONFIG: join(dir, "kubeconfig"),
      SLUICE_CLUSTER: "home",
      SLUICE_INGRESS: "http://127.0.0.1:1",
      ...(env.SLUICE_SECRET_FILE ? {} : { SLUICE_SECRET: secret }),
      ...env,
    },
  });
}

async function urlOf(process: ProcessUnderTest): Promise<string> {
  const { url } = JSON.parse(await process.complained(/metrics and health are served/, limit));
  return url.replace("0.0.0.0", "127.0.0.1");
}

describe("metrics and health", () => {
  it("are served while nothing else can be reached, and tell why", async () => {
    await using process = relay();
    const url = await urlOf(process);
    expect(await (await fetch(`${url}/healthz`)).text()).toBe("ok");
    await process.complained(/no manifest/, limit);
    const ready = await fetch(`${url}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.text()).toMatch(/^\[-\]manifest failed: .+\n[\s\S]*readyz check failed\n$/);
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
    const metrics = readExposition(await (await fetch(`${url}/metrics`)).text());
    expect(metrics).toContainEqual({
      name: "sluice_relay_build_info",
      labels: { version, runtime: expect.stringMatching(/^(node|deno) \d/) },
      value: 1,
    });
    const numberOf = (name: string) => metrics.find((sample) => sample.name === name)?.value;
    expect(numberOf("sluice_relay_ready")).toBe(0);
    expect(numberOf("process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
    expect(numberOf("process_cpu_seconds_total")).toBeGreaterThan(0);
    expect(Math.abs(numberOf("process_start_time_seconds")! - Date.now() / 1_000)).toBeLessThan(60);
  });

  it("are on this machine alone where that is asked for", async () => {
    await using process = relay(["--metrics-port", "0", "--bind", "127.0.0.1"]);
    const { url } = JSON.parse(await process.complained(/metrics and health are served/, limit));
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  });

  it("may be off", async () => {
    await using process = relay(["--metrics-port", "off"]);
    await process.complained(/no manifest/, limit);
    expect(await process.terminate()).toEqual({ code: 0, signal: null });
    expect(process.stderr.join()).not.toContain("metrics and health are served");
  });

  it("that nobody asked for are done without where their port is taken", async () => {
    const other = await listenOn(() => new Response(), { port: 8081 }).catch(() => undefined);
    await using process = relay([]);
    await process.complained(/no metrics and no health: the port is taken/, limit);
    expect(await process.terminate()).toEqual({ code: 0, signal: null });
    await other?.close();
  });

  it("whose port was asked for and is taken end it with 1", async () => {
    const other = await listenOn(() => new Response(), { port: 0 });
    await using process = relay(["--metrics-port", new URL(other.url).port]);
    expect(await process.exited).toEqual({ code: 1, signal: null });
    expect(process.stderr.join()).toContain("EADDRINUSE");
    await other.close();
  });
});

describe("options", () => {
  it.each<[string, Record<string, string>]>([
    ["--log-level", { SLUICE_LOG_LEVEL: "loud" }],
    ["SLUICE_METRICS_PORT", { SLUICE_METRICS_PORT: "70000" }],
    ["SLUICE_SECRET_FILE", { SLUICE_SECRET_FILE: "/nowhere/secret" }],
  ])("wrong in the environment end it with 2, and %s is named", async (named, env) => {
    await using process = relay([], env);
    expect(await process.exited).toEqual({ code: 2, signal: null });
    expect(process.stderr.join()).toContain(named);
  });

  it("that there are none of are warned about, by the name of their variable", async () => {
    await using process = relay(undefined, { SLUICE_CLUTSER: "home" });
    const line = JSON.parse(await process.complained(/SLUICE_CLUTSER/, limit));
    expect(line).toMatchObject({ level: "warn", variable: "SLUICE_CLUTSER" });
  });

  it("--log-level leaves out what is below it", async () => {
    await using process = relay(["--metrics-port", "0", "--log-level", "warn"]);
    await process.complained(/no manifest/, limit);
    expect(await process.terminate()).toEqual({ code: 0, signal: null });
    const levels = process.stderr.map((line) => JSON.parse(line).level);
    expect(new Set(levels)).toEqual(new Set(["warn"]));
  });

  it("X4 --secret-file: its secret signs the requests, and is in no line of the log", async () => {
    const file = join(dir, "secret");
    writeFileSync(file, `${secret}\n`);
    const { promise: accepted, resolve } = Promise.withResolvers<boolean>();
    const functions = await listenOn(
      async (request) => {
        const body = new Uint8Array(await request.arrayBuffer());
        resolve((await verify([secret], request.headers, { now: Date.now(), body })).ok);
        return new Response(secret, { status: 500 });
      },
      { port: 0, host: "127.0.0.1" },
    );
    await using process = relay(undefined, { SLUICE_INGRESS: functions.url, SLUICE_SECRET_FILE: file });
    expect(await accepted).toBe(true);
    expect(await process.terminate()).toEqual({ code: 0, signal: null });
    expect(process.stderr.join()).not.toContain(secret);
    functions.cut();
    await functions.close();
  });
});

describe("signals", () => {
  it("a second one ends it at once, with 0, where a connection would hold the first one up for 15 s", async () => {
    await using process = relay(["--metrics-port", "0", "--bind", "127.0.0.1"]);
    const url = new URL(await urlOf(process));
    const half = connect(Number(url.port), url.hostname, () => half.write("GET /healthz HTTP/1.1\r\n"));
    half.on("error", () => {});
    await once(half, "connect");
    const startedAt = performance.now();
    void process.terminate();
    const isServed = () =>
      fetch(`${url}healthz`).then(
        () => true,
        () => false,
      );
    await expect.poll(isServed, { timeout: 5_000 }).toBe(false);
    await expect.poll(() => performance.now() - startedAt, { timeout: 5_000 }).toBeGreaterThan(1_200);
    expect(await process.terminate()).toEqual({ code: 0, signal: null });
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    half.destroy();
  });

  it("SIGTERM ends it with 0 from its first line on", async () => {
    await using process = relay(undefined, { SLUICE_EARLY: "1" });
    await process.complained(/SLUICE_EARLY/, limit);
    expect(await process.terminate()).toEqual({ code: 0, signal: null });
  });
});
