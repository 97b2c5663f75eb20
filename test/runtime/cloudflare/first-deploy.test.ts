import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { root } from "../../repository/source-file.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const folder = mkdtempSync(join(tmpdir(), "sluice-deploy-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ABSENT = { code: 10007, message: "This Worker does not exist on your account." };
const NAMESPACE = { id: "0".repeat(32), title: "documents-sluice-kv" };

/** As much of Cloudflare's API as a deployment asks: an account that has no Worker until one is uploaded. */
async function startPlatform() {
  const uploads: string[] = [];
  const answerTo = (method: string, path: string): unknown => {
    if (path.endsWith("/storage/kv/namespaces")) return method === "POST" ? NAMESPACE : [];
    if (path.endsWith("/subdomain")) return { subdomain: "example", enabled: true, previews_enabled: false };
    if (path.endsWith("/workers/workers/documents")) return { subdomain: { enabled: true, previews_enabled: false } };
    if (/\/(services|scripts)\/documents/.test(path) && uploads.length === 0) return undefined;
    return {};
  };
  const server = createServer(async (request, response) => {
    const { method = "", url = "" } = request;
    const [path = ""] = url.split("?");
    const body = Buffer.concat(await request.toArray()).toString("latin1");
    if (method === "PUT" && path.endsWith("/scripts/documents")) uploads.push(body);
    const result = answerTo(method, path);
    const errors = result === undefined ? [ABSENT] : [];
    response.writeHead(errors.length > 0 ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify({ success: errors.length === 0, errors, messages: [], result: result ?? null }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, uploads, stop: () => server.close() };
}

/** What `wrangler.toml` tells whoever deploys it for the first time. */
function toldArguments(secretsFile: string): string[] {
  const text = readFileSync(join(root, "wrangler.toml"), "utf8");
  const [, args = ""] = /first time `npx wrangler (.*?)`/.exec(text) ?? [];
  return args.split(" ").map((arg) => (arg === "FILE" ? secretsFile : arg));
}

test("the first deployment, as wrangler.toml tells it, uploads the Worker and its secret", async () => {
  const platform = await startPlatform();
  const secretsFile = join(folder, "secrets");
  writeFileSync(secretsFile, `SLUICE_SECRET=${SECRET}\n`);
  const env = {
    ...{ ...process.env, HOME: folder, WRANGLER_SEND_METRICS: "false", NO_COLOR: "1" },
    ...{ CLOUDFLARE_API_BASE_URL: platform.url, CLOUDFLARE_API_TOKEN: "token", CLOUDFLARE_ACCOUNT_ID: "account" },
  };
  const wrangler = join(root, "node_modules/wrangler/bin/wrangler.js");
  try {
    const run = promisify(execFile)(process.execPath, [wrangler, ...toldArguments(secretsFile)], { cwd: root, env });
    const { stdout, stderr } = await run;
    expect(`${stdout}${stderr}`).not.toMatch(/error/i);
    expect(platform.uploads).toHaveLength(1);
    expect(platform.uploads[0]).toContain(`"name":"SLUICE_SECRET","type":"secret_text","text":"${SECRET}"`);
  } finally {
    platform.stop();
  }
}, 60_000);
