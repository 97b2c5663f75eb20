import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, test, vi } from "vitest";
import { denoProgram } from "../cluster/image/sandbox.ts";
import { type ApiServer, apiServer } from "../runtime/kube-config/api-server.ts";

const script = join(import.meta.dirname, "deno-requests.ts");
let server: ApiServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** What Deno prints for a case, against a server that answers so. */
async function onDeno(name: string, answer: Parameters<typeof apiServer>[0]): Promise<unknown> {
  server ??= await apiServer(answer);
  const args = [
    "run",
    "--no-prompt",
    "--no-config",
    "--no-lock",
    "--no-remote",
    "--no-npm",
    "--allow-net=127.0.0.1,api.test:6443,functions.test",
  ];
  const { stdout } = await promisify(execFile)(denoProgram(), [...args, script, name, server.url]);
  return JSON.parse(stdout);
}

describe("the way to the API server on Deno", () => {
  test("a request arrives below the server's path with its method, query, headers, body and token", async () => {
    const answered = await onDeno("request", (request, response) => {
      let body = "";
      request.on("data", (chunk) => {
        body += chunk;
      });
      request.on("end", () => response.setHeader("retry-after", "3").writeHead(409).end(JSON.stringify({ body })));
    });
    expect(answered).toEqual({ ok: false, status: 409, retryAfter: "3", json: { body: "{}" } });
    const [request] = server!.requests;
    expect(request).toMatchObject({ method: "PATCH", url: "/k8s/c-1/api/v1/x?fieldManager=m", httpVersion: "1.1" });
    expect(request?.headers).toMatchObject({
      "content-type": "application/apply-patch+yaml",
      authorization: "Bearer one",
      "user-agent": "sluice",
    });
  });

  test("R9 after a 401 the credentials are read again, and the request is sent once more", async () => {
    const answered = await onDeno("renewal", (request, response) => {
      const { authorization } = request.headers;
      response.writeHead(authorization === "Bearer 2" ? 200 : 401).end(authorization);
    });
    expect(answered).toEqual({ status: 200, text: "Bearer 2" });
    expect(server!.requests).toHaveLength(2);
  });

  test("what nobody answers is a TypeError that names the server", async () => {
    const answered = await onDeno("unanswered", (request) => void request.socket.destroy());
    expect(answered).toMatch(/^TypeError: no answer from http:\/\/127\.0\.0\.1:\d+: /);
  });

  test("a redirect is an answer, never followed with the token", async () => {
    expect(await onDeno("redirect", (_, response) => response.writeHead(302, { location: "/else" }).end())).toBe(302);
    expect(server!.requests).toHaveLength(1);
  });

  test("a watch that is cancelled ends at once on both sides, with the signal's reason", async () => {
    const ended = vi.fn();
    const answered = await onDeno("cancelled", (request, response) => {
      request.socket.on("close", ended);
      response.write("{}\n");
    });
    expect(answered).toMatchObject({ error: "Error: enough" });
    expect((answered as { tookMs: number }).tookMs).toBeLessThan(1_000);
    await vi.waitFor(() => expect(ended).toHaveBeenCalled(), 5_000);
  });

  test("close ends the requests that are under way", async () => {
    expect(await onDeno("closed", (_, response) => void response.write("{}\n"))).not.toBe("nothing");
  });

  test("a proxy gets the request, with its user and password", async () => {
    expect(await onDeno("proxy", (_, response) => response.end("{}"))).toBe(200);
    const [toFunctions, toApi] = server!.requests;
    expect(toFunctions?.url).toBe("http://functions.test/manifest");
    expect(toApi?.url).toBe("http://api.test:6443/api");
    expect(toApi?.headers["proxy-authorization"]).toBe(`Basic ${btoa("user:pass word")}`);
  });

  test("requests find the connection that is open", async () => {
    await onDeno("many", (_, response) => response.end("{}"));
    expect(server!.connections).toBeLessThanOrEqual(3);
  });

  test.each([
    ["servername", /^Error: tls-server-name is not supported on Deno/],
    ["insecure", /^Error: insecure-skip-tls-verify is not supported on Deno/],
  ])("credentials that Deno cannot follow are refused by name: %s", async (name, message) => {
    expect(await onDeno(name, (_, response) => response.end())).toMatch(message);
  });
});
