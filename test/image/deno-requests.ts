/**
 * Drives Deno's transport for `deno-transport.test.ts`: `deno run deno-requests.ts CASE SERVER`. Prints what came of it as JSON.
 * @module
 */
import { proxiedFetch } from "../../adapters/runtime/deno/proxied-fetch.ts";
import { connectKube } from "../../adapters/runtime/deno/transport.ts";
import type { Credentials } from "../../adapters/runtime/node/kube-config/credentials.ts";

const [name = "", server = ""] = (globalThis as unknown as { Deno: { args: string[] } }).Deno.args;

const credentials = (over: Partial<Credentials> = {}) => ({ server, authorization: "Bearer one", tls: {}, ...over });
const connect = (over?: Partial<Credentials>) => connectKube(async () => credentials(over));
const caught = (work: Promise<unknown>) =>
  work.then(
    () => "nothing",
    (error: unknown) => `${(error as Error).name}: ${(error as Error).message}`,
  );

const cases: Record<string, () => Promise<unknown>> = {
  async request() {
    const transport = await connect({ server: `${server}/k8s/c-1` });
    const headers = { "content-type": "application/apply-patch+yaml" };
    const answer = await transport.fetch("/api/v1/x?fieldManager=m", { method: "PATCH", headers, body: "{}" });
    const { ok, status } = answer;
    return { ok, status, retryAfter: answer.headers.get("Retry-After"), json: await answer.json() };
  },
  async renewal() {
    let reads = 0;
    const transport = await connectKube(async () => credentials({ authorization: `Bearer ${++reads}` }));
    const answer = await transport.fetch("/api");
    return { status: answer.status, text: await answer.text() };
  },
  async unanswered() {
    return caught((await connect()).fetch("/api"));
  },
  async redirect() {
    return (await (await connect()).fetch("/api")).status;
  },
  async cancelled() {
    const transport = await connect();
    const stop = new AbortController();
    const answer = await transport.fetch("/watch", { signal: stop.signal });
    const reader = answer.body!.getReader();
    await reader.read();
    const at = performance.now();
    stop.abort(new Error("enough"));
    return { error: await caught(reader.read()), tookMs: performance.now() - at };
  },
  async closed() {
    const transport = await connect();
    const reader = (await transport.fetch("/watch")).body!.getReader();
    await reader.read();
    await transport.close();
    return caught(reader.read());
  },
  async many() {
    const transport = await connect();
    for (let i = 0; i < 200; i++)
      await (await transport.fetch("/api", { signal: new AbortController().signal })).text();
    return "done";
  },
  async proxy() {
    const { port } = new URL(server);
    const proxy = `http://user:pass%20word@127.0.0.1:${port}`;
    const transport = await connect({ server: "http://api.test:6443", proxy });
    const ask = proxiedFetch("http://functions.test", { HTTP_PROXY: `http://127.0.0.1:${port}` });
    await (await ask("http://functions.test/manifest")).text();
    return (await transport.fetch("/api")).status;
  },
  async servername() {
    return caught(connect({ tls: { servername: "kubernetes" } }));
  },
  async insecure() {
    return caught(connect({ tls: { rejectUnauthorized: false } }));
  },
};

console.log(JSON.stringify(await cases[name]!()));
