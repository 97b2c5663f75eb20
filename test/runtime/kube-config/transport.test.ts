import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import { afterEach, describe, expect, test } from "vitest";
import { type Credentials, connectKube, type NodeTransport } from "../../../adapters/runtime/node/kube-config/index.ts";
import { recordingLogger } from "../../support/recording-logger.ts";
import { type ApiServer, apiServer, clientOf, pem } from "./api-server.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function serve(...args: Parameters<typeof apiServer>): Promise<ApiServer> {
  const server = await apiServer(...args);
  open.push(server);
  return server;
}

async function connect(...args: Parameters<typeof connectKube>): Promise<NodeTransport> {
  const transport = await connectKube(...args);
  open.push(transport);
  return transport;
}

/** Credentials that the test changes, and a clock that it moves. */
function changeable(first: Credentials) {
  const held = { credentials: first, reads: 0, now: 0, fails: false };
  const source = async () => {
    held.reads++;
    if (held.fails) throw new Error("no such file");
    return { ...held.credentials };
  };
  return { held, source, monotonic: () => held.now };
}

describe("a request", () => {
  test("arrives with its method, path, query, headers and body, and the token", async () => {
    const server = await serve((request, response) => {
      let body = "";
      request.on("data", (chunk) => {
        body += chunk;
      });
      request.on("end", () => response.setHeader("retry-after", "3").writeHead(409).end(JSON.stringify({ body })));
    });
    const transport = await connect(async () => ({ server: server.url, authorization: "Bearer t", tls: {} }));
    const headers = { "content-type": "application/apply-patch+yaml" };
    const answer = await transport.fetch("/api/v1/x?fieldManager=m", { method: "PATCH", headers, body: "{}" });
    expect({ ok: answer.ok, status: answer.status, json: await answer.json() }).toEqual({
      ok: false,
      status: 409,
      json: { body: "{}" },
    });
    expect(answer.headers.get("Retry-After")).toBe("3");
    const [request] = server.requests;
    expect(request).toMatchObject({ method: "PATCH", url: "/api/v1/x?fieldManager=m" });
    expect(request?.headers).toMatchObject({ ...headers, authorization: "Bearer t" });
  });

  test("goes below the server's own path, and without a token where there is none", async () => {
    const server = await serve((_, response) => response.end("{}"));
    const transport = await connect(async () => ({ server: `${server.url}/k8s/c-1`, tls: {} }));
    await (await transport.fetch("/api")).text();
    expect(server.requests[0]?.url).toBe("/k8s/c-1/api");
    expect(server.requests[0]?.headers).not.toHaveProperty("authorization");
  });

  test("finds a connection that is open already", async () => {
    const server = await serve((_, response) => response.end("{}"));
    const transport = await connect(async () => ({ server: server.url, tls: {} }));
    for (let i = 0; i < 20; i++) await (await transport.fetch("/api")).json();
    // Two, where the next request comes before Node has seen that the last answer is over.
    expect(server.connections).toBeLessThanOrEqual(2);
  });

  test("that nobody answers is a TypeError naming the server", async () => {
    const server = await serve(() => {});
    const transport = await connect(async () => ({ server: server.url, tls: {} }));
    await server.close();
    open.splice(0, 1);
    const error = await transport.fetch("/api").catch((error: unknown) => error);
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toMatch(/^no answer from http:\/\/127\.0\.0\.1:\d+: .*ECONNREFUSED/);
  });

  test("ends with the signal's reason, before and after its answer has begun", async () => {
    const server = await serve((request, response) => {
      if (request.url === "/watch") response.write("{");
    });
    const transport = await connect(async () => ({ server: server.url, tls: {} }));
    for (const path of ["/silent", "/watch"]) {
      const abort = new AbortController();
      const pending = transport.fetch(path, { signal: abort.signal }).then((answer) => {
        abort.abort(new Error("late"));
        return answer.text();
      });
      const failure = expect(pending).rejects.toThrow("late");
      if (path === "/silent") {
        await expect.poll(() => server.requests.length).toBe(1);
        abort.abort(new Error("late"));
      }
      await failure;
    }
  });

  test("whose answer breaks off is a TypeError, not a short text", async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { "content-length": "10" }).write("{");
      setImmediate(() => response.destroy());
    });
    const transport = await connect(async () => ({ server: server.url, tls: {} }));
    const answer = await transport.fetch("/api");
    await expect(answer.json()).rejects.toBeInstanceOf(TypeError);
  });

  test("streams its answer, and lets go of the connection when the reader does", async () => {
    let closed = false;
    const server = await serve((_, response) => {
      response.write("first\n");
      response.on("close", () => {
        closed = true;
      });
    });
    const transport = await connect(async () => ({ server: server.url, tls: {} }));
    const reader = (await transport.fetch("/watch")).body!.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe("first\n");
    await reader.cancel();
    await expect.poll(() => closed).toBe(true);
  });
});

describe("R9 credentials", () => {
  const byToken = (token: string) =>
    serve((request, response) => {
      response.writeHead(request.headers.authorization === `Bearer ${token}` ? 200 : 401).end("{}");
    });

  test("are read again after a 401, and the request is sent once more", async () => {
    const server = await byToken("new");
    const { held, ...options } = changeable({ server: server.url, authorization: "Bearer old", tls: {} });
    const transport = await connect(options.source, options);
    held.credentials.authorization = "Bearer new";
    expect((await transport.fetch("/api")).status).toBe(200);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(["Bearer old", "Bearer new"]);
  });

  test("that stay wrong are a 401 after two requests", async () => {
    const server = await byToken("new");
    const transport = await connect(async () => ({ server: server.url, authorization: "Bearer old", tls: {} }));
    expect((await transport.fetch("/api")).status).toBe(401);
    expect(server.requests).toHaveLength(2);
  });

  test("are read again once they are a minute old, and once for requests at the same time", async () => {
    const server = await byToken("old");
    const { held, ...options } = changeable({ server: server.url, authorization: "Bearer old", tls: {} });
    const transport = await connect(options.source, options);
    const ask = async () => (await transport.fetch("/api")).text();
    held.now = 59_999;
    await ask();
    expect(held.reads).toBe(1);
    held.now = 60_000;
    await Promise.all([ask(), ask()]);
    expect(held.reads).toBe(2);
  });

  test("that cannot be read any more are used as they were, and the log says so", async () => {
    const server = await byToken("old");
    const { held, ...options } = changeable({ server: server.url, authorization: "Bearer old", tls: {} });
    const logger = recordingLogger();
    const transport = await connect(options.source, { ...options, logger });
    Object.assign(held, { now: 60_000, fails: true });
    expect((await transport.fetch("/api")).status).toBe(200);
    expect(logger.lines).toMatchObject([{ level: "warn", message: "credentials could not be read again" }]);
    expect(JSON.stringify(logger.lines)).not.toContain("Bearer");
  });

  test("of another server are not taken over", async () => {
    const server = await byToken("old");
    const { held, ...options } = changeable({ server: server.url, authorization: "Bearer old", tls: {} });
    const transport = await connect(options.source, options);
    held.now = 60_000;
    held.credentials = { server: "https://other:6443", authorization: "Bearer other", tls: {} };
    expect((await transport.fetch("/api")).status).toBe(200);
  });

  test("that cannot be read at the start are an error", async () => {
    await expect(connectKube(async () => Promise.reject(new Error("no such file")))).rejects.toThrow("no such file");
  });
});

describe("TLS", () => {
  const tlsServer = () =>
    serve((request, response) => response.end(JSON.stringify(clientOf(request) ?? null)), { tls: true });

  test.each<[string, Credentials["tls"], boolean]>([
    ["trusts the cluster's CA", { ca: pem("server.crt") }, true],
    ["trusts no other", { ca: pem("client.crt") }, false],
    ["trusts the CA for a name it is told", { ca: pem("server.crt"), servername: "kubernetes.test" }, true],
    ["trusts no certificate of another name", { ca: pem("server.crt"), servername: "other.test" }, false],
    ["trusts anything where it is told to", { rejectUnauthorized: false }, true],
  ])("%s", async (_, tls, trusted) => {
    const server = await tlsServer();
    const transport = await connect(async () => ({ server: server.url, tls }));
    const answer = await transport.fetch("/api").catch((error: unknown) => error);
    if (trusted) expect(answer).toMatchObject({ status: 200 });
    else expect(answer).toBeInstanceOf(TypeError);
  });

  test("takes no certificate for a CA that is none", async () => {
    const credentials = { server: "https://127.0.0.1:1", tls: { ca: "none", cert: "none", key: "none" } };
    await expect(connectKube(async () => credentials)).rejects.toThrow(/PEM/);
  });

  test("resumes its session on the next connection", async () => {
    const resumed: boolean[] = [];
    const answer = ({ socket }: IncomingMessage) => resumed.push((socket as TLSSocket).isSessionReused());
    const server = await serve((request, response) => response.end(String(answer(request))), { tls: true });
    const transport = await connect(async () => ({ server: server.url, tls: { ca: pem("server.crt") } }));
    const ask = async () => (await transport.fetch("/api")).text();
    await ask();
    await Promise.all([ask(), ask()]);
    expect(resumed).toContain(true);
    expect(resumed[0]).toBe(false);
  });

  test("shows the client's certificate, and a renewed one on a new connection", async () => {
    const server = await tlsServer();
    const ca = pem("server.crt");
    const { held, ...options } = changeable({ server: server.url, tls: { ca } });
    const transport = await connect(options.source, options);
    expect(await (await transport.fetch("/api")).json()).toBeNull();
    held.credentials.tls = { ca, cert: pem("client.crt"), key: pem("client.key") };
    held.now = 60_000;
    expect(await (await transport.fetch("/api")).json()).toBe("test-client");
    expect(server.connections).toBe(2);
  });
});
