import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import {
  type CredentialSource,
  connectKube,
  hiding,
  inClusterSource,
  kubeConfigSource,
  type NodeTransport,
} from "../../../adapters/runtime/node/kube-config/index.ts";
import { recordingLogger } from "../../support/recording-logger.ts";
import { type ApiServer, apiServer, clientOf, pem } from "./api-server.ts";

let folder: string;
let server: ApiServer;
let transport: NodeTransport | undefined;
/** What the server takes; anything else is a 401. */
let token: string;
/** 401s that a test lets go. */
let held: (() => void)[];
/** Watches that are open. */
let watches: ServerResponse[];
let now: number;
const logger = recordingLogger();

const write = (name: string, content: string) => writeFileSync(join(folder, name), content);

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "sluice-rotation-"));
  [token, held, watches, now] = ["one", [], [], 0];
  logger.lines.length = 0;
  server = await apiServer(
    (request, response) => {
      const isKnown = clientOf(request) !== undefined || request.headers.authorization === `Bearer ${token}`;
      const refuse = () => response.writeHead(401).end("{}");
      if (request.url === "/slow" && held.length === 0) return held.push(refuse);
      if (!isKnown) return refuse();
      if (request.url !== "/watch") return response.end("{}");
      watches.push(response);
      return response.write("open\n");
    },
    { tls: true },
  );
  write("token", "one\n");
  write("ca.crt", pem("server.crt"));
});
afterEach(async () => {
  await transport?.close();
  await server.close();
  rmSync(folder, { recursive: true });
});

function inCluster(): CredentialSource {
  const { port } = new URL(server.url);
  return inClusterSource({ KUBERNETES_SERVICE_HOST: "127.0.0.1", KUBERNETES_SERVICE_PORT: port }, folder);
}

function kubeConfig(user: object): CredentialSource {
  const path = join(folder, "config");
  writeFileSync(
    path,
    stringify({
      "current-context": "home",
      clusters: [{ name: "c", cluster: { server: server.url, "certificate-authority": "ca.crt" } }],
      users: [{ name: "u", user }],
      contexts: [{ name: "home", context: { cluster: "c", user: "u" } }],
    }),
  );
  return kubeConfigSource(path);
}

async function connect(source: CredentialSource): Promise<NodeTransport> {
  transport = await connectKube(source, { monotonic: () => now, logger });
  return transport;
}

const status = async (path = "/api") => {
  const answer = await transport!.fetch(path);
  await answer.text();
  return answer.status;
};

/** A watch of which the first line is read. */
async function openWatch() {
  const reader = (await transport!.fetch("/watch")).body!.getReader();
  const line = async () => new TextDecoder().decode((await reader.read()).value);
  expect(await line()).toBe("open\n");
  return { line, end: () => reader.cancel() };
}

describe("R9 while a watch is open", () => {
  test.each<[string, () => CredentialSource]>([
    ["a Pod's token", inCluster],
    ["a tokenFile", () => kubeConfig({ tokenFile: join(folder, "token") })],
  ])("%s that is renewed goes with new requests after a 401, and the watch goes on", async (_, source) => {
    await connect(source());
    const watch = await openWatch();
    write("token", "two\n");
    token = "two";
    expect(await status()).toBe(200);
    watches[0]!.write("still here\n");
    expect(await watch.line()).toBe("still here\n");
    await watch.end();
    const again = await openWatch();
    await again.end();
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer one",
      "Bearer one",
      "Bearer two",
      "Bearer two",
    ]);
  });

  test("a CA that is renewed holds for new connections within a minute, and the watch goes on", async () => {
    await connect(inCluster());
    const watch = await openWatch();
    server.show("server-next");
    write("ca.crt", pem("server-next.crt"));
    now = 60_000;
    expect(await status()).toBe(200);
    expect(server.connections).toBe(2);
    watches[0]!.write("still here\n");
    expect(await watch.line()).toBe("still here\n");
    await watch.end();
  });

  test("a server that shows another certificate than the CA's is no answer until the CA is read again", async () => {
    await connect(inCluster());
    server.show("server-next");
    await expect(status()).rejects.toThrow(TypeError);
    write("ca.crt", pem("server-next.crt"));
    now = 60_000;
    expect(await status()).toBe(200);
  });

  test("a client certificate in files is read again, and old connections end with their requests", async () => {
    write("client.crt", pem("server.crt"));
    write("client.key", pem("server.key"));
    await connect(kubeConfig({ "client-certificate": "client.crt", "client-key": "client.key" }));
    expect(await status()).toBe(401);
    write("client.crt", pem("client.crt"));
    write("client.key", pem("client.key"));
    expect(await status()).toBe(200);
  });
});

describe("a 401", () => {
  test("that many requests get at once leads to one reading", async () => {
    const source = inCluster();
    let reads = 0;
    await connect(async (refused) => {
      reads++;
      return source(refused);
    });
    write("token", "two\n");
    token = "two";
    expect(await Promise.all([status(), status(), status()])).toEqual([200, 200, 200]);
    expect(reads).toBe(2);
  });

  test("of a request that was sent before others were read leads to none", async () => {
    const source = inCluster();
    let reads = 0;
    await connect(async (refused) => {
      reads++;
      return source(refused);
    });
    const slow = status("/slow");
    await expect.poll(() => held).toHaveLength(1);
    write("token", "two\n");
    token = "two";
    expect(await status()).toBe(200);
    held[0]!();
    expect(await slow).toBe(200);
    expect(reads).toBe(2);
  });

  test("tells the source that its credentials were refused", async () => {
    const told: (boolean | undefined)[] = [];
    const source = inCluster();
    await connect(async (refused) => {
      told.push(refused);
      return source(refused);
    });
    token = "two";
    expect(await status()).toBe(401);
    expect(told).toEqual([undefined, true]);
  });
});

test("files that cannot be read are asked for again after 5 s, not at each request", async () => {
  await connect(inCluster());
  rmSync(join(folder, "token"));
  now = 60_000;
  for (const step of [0, 4_999, 1]) {
    now += step;
    expect(await status()).toBe(200);
  }
  expect(logger.lines.map(({ message }) => message)).toEqual([
    "credentials could not be read again",
    "credentials could not be read again",
  ]);
});

test("what takes long to be read holds nobody up for more than a second, until it is there", async () => {
  const source = inCluster();
  const slow = Promise.withResolvers<void>();
  let reads = 0;
  await connect(async (refused) => {
    if (++reads === 2) await slow.promise;
    return source(refused);
  });
  write("token", "two\n");
  now = 60_000;
  expect(await status()).toBe(200);
  now = 90_000;
  expect(await status()).toBe(200);
  expect(reads).toBe(2);
  token = "two";
  slow.resolve();
  await expect.poll(() => status()).toBe(200);
  expect(server.requests.at(-1)?.headers.authorization).toBe("Bearer two");
});

test("a certificate that is not checked is said in the log", async () => {
  await connect(async () => ({ server: server.url, authorization: "Bearer one", tls: { rejectUnauthorized: false } }));
  expect(await status()).toBe(200);
  expect(logger.lines).toMatchObject([
    { level: "warn", message: expect.stringContaining("is not checked"), fields: { server: server.url } },
  ]);
});

test("X4 tokens, passwords and those of proxies join what no log shows, a renewed one too", async () => {
  const hidden: string[] = [];
  const given = [
    { server: "https://k.test", authorization: "Bearer t0ken", tls: {}, proxy: "http://me:pr%40xy@p.test" },
    { server: "https://k.test", authorization: `Basic ${Buffer.from("me:pa:ss").toString("base64")}`, tls: {} },
  ];
  const source = hiding(async () => given.shift()!, hidden);
  await source();
  await source();
  expect(hidden).toEqual(["t0ken", "pr@xy", Buffer.from("me:pa:ss").toString("base64"), "pa:ss"]);
});
