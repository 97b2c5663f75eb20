import { afterEach, describe, expect, test } from "vitest";
import { type Credentials, connectKube, proxiedFetch } from "../../../adapters/runtime/node/kube-config/index.ts";
import { apiServer, clientOf, pem } from "./api-server.ts";
import { type ConnectProxy, connectProxy } from "./connect-proxy.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function toClose<T extends { close(): Promise<void> }>(making: Promise<T>): Promise<T> {
  const made = await making;
  open.push(made);
  return made;
}

/** An API server that only the proxy finds under its name. */
async function behind(proxy: ConnectProxy, more: Partial<Credentials> = {}) {
  const server = await toClose(
    apiServer((request, response) => response.end(JSON.stringify(clientOf(request) ?? null)), { tls: true }),
  );
  const named = server.url.replace("127.0.0.1", "kubernetes.test");
  const credentials = { server: named, tls: { ca: pem("server.crt") }, proxy: proxy.url, ...more };
  const transport = await toClose(connectKube(async () => credentials));
  return { server, host: new URL(named).host, transport };
}

describe("an API server behind a proxy", () => {
  test("is reached by a tunnel, with its own certificate checked", async () => {
    const proxy = await toClose(connectProxy());
    const { transport, host, server } = await behind(proxy);
    for (let i = 0; i < 5; i++) expect((await (await transport.fetch("/api")).json()) as unknown).toBeNull();
    expect(new Set(proxy.asked)).toEqual(new Set([host]));
    expect(server.connections).toBeLessThanOrEqual(2);

    const distrusting = await behind(proxy, { tls: { ca: pem("client.crt") } });
    await expect(distrusting.transport.fetch("/api")).rejects.toThrow(TypeError);
  });

  test("sees the client's certificate, and is checked by another name where it is told to", async () => {
    const proxy = await toClose(connectProxy());
    const client = { ca: pem("server.crt"), cert: pem("client.crt"), key: pem("client.key") };
    const { transport } = await behind(proxy, { tls: client });
    expect(await (await transport.fetch("/api")).json()).toBe("test-client");
    const misnamed = await behind(proxy, { tls: { ca: pem("server.crt"), servername: "other.test" } });
    await expect(misnamed.transport.fetch("/api")).rejects.toThrow(TypeError);
  });

  test("X4 gets user and password only from the proxy's own header, and no error quotes them", async () => {
    const proxy = await toClose(connectProxy({ refuse: 407 }));
    const { transport } = await behind(proxy, { proxy: proxy.url.replace("//", "//me:s3%40cret@") });
    const error = (await transport.fetch("/api").catch((error: unknown) => error)) as Error;
    expect(proxy.shown[0]).toBe(`Basic ${Buffer.from("me:s3@cret").toString("base64")}`);
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toContain("Proxy response (407)");
    expect(`${error.stack} ${String(error.cause)}`).not.toMatch(/s3(@|%40)cret/);
  });

  test("gets a user without a password, too", async () => {
    const proxy = await toClose(connectProxy());
    const { transport } = await behind(proxy, { proxy: proxy.url.replace("//", "//me@") });
    await (await transport.fetch("/api")).text();
    expect(proxy.shown).toEqual([`Basic ${Buffer.from("me:").toString("base64")}`]);
  });

  test("streams what it answers", async () => {
    const proxy = await toClose(connectProxy());
    const server = await toClose(apiServer((_, response) => response.write("first\n")));
    const credentials = { server: server.url.replace("127.0.0.1", "k.test"), tls: {}, proxy: proxy.url };
    const transport = await toClose(connectKube(async () => credentials));
    const reader = (await transport.fetch("/watch")).body!.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe("first\n");
    await reader.cancel();
  });

  test("is reached by another proxy once the credentials name one", async () => {
    const [first, second] = [await toClose(connectProxy()), await toClose(connectProxy())];
    const server = await toClose(apiServer((_, response) => response.end("{}")));
    const held = { proxy: first.url, now: 0 };
    const source = async () => ({
      server: server.url.replace("127.0.0.1", "k.test"),
      tls: {},
      proxy: held.proxy,
    });
    const transport = await toClose(connectKube(source, { monotonic: () => held.now }));
    await (await transport.fetch("/api")).text();
    Object.assign(held, { proxy: second.url, now: 60_000 });
    await (await transport.fetch("/api")).text();
    expect([first.asked.length, second.asked.length]).toEqual([1, 1]);
  });
});

describe("functions behind a proxy", () => {
  const functions = () =>
    toClose(
      apiServer((request, response) => {
        let body = "";
        request.on("data", (chunk) => {
          body += chunk;
        });
        request.on("end", () => response.end(JSON.stringify({ method: request.method, path: request.url, body })));
      }),
    );

  test("are reached through what the environment names", async () => {
    const proxy = await toClose(connectProxy());
    const server = await functions();
    const root = server.url.replace("127.0.0.1", "functions.test");
    const ask = proxiedFetch(root, { HTTP_PROXY: proxy.url });
    const answer = await ask(`${root}/triggers`, { method: "POST", body: "{}", redirect: "error" });
    expect(await answer.json()).toEqual({ method: "POST", path: "/triggers", body: "{}" });
    expect(proxy.asked).toEqual([new URL(root).host]);
  });

  test("are reached directly where no proxy is for them", async () => {
    const server = await functions();
    const ask = proxiedFetch(server.url, { HTTP_PROXY: "http://127.0.0.1:1" });
    expect((await ask(`${server.url}/wake`, { method: "POST", body: "{}" })).status).toBe(200);
  });
});
