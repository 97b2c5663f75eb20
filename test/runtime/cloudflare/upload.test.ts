import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "../../repository/source-file.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-upload-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let output: string;
let script: Buffer;
beforeAll(() => {
  const wrangler = join(root, "node_modules/wrangler/bin/wrangler.js");
  const env = { ...process.env, WRANGLER_SEND_METRICS: "false", NO_COLOR: "1" };
  const args = [wrangler, "deploy", "--dry-run", "--outdir", folder];
  output = execFileSync(process.execPath, args, {
    cwd: root,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  script = readFileSync(join(folder, "worker.js"));
}, 60_000);

test("wrangler deploys the example without a complaint, with its bindings", () => {
  expect(output).not.toMatch(/warning|error/i);
  for (const binding of ["env.SLUICE_SCHEDULER (SchedulerObject)", "env.SLUICE_KV", "env.GATEWAY_URL"])
    expect(output).toContain(binding);
});

test("the Worker has at most 65 KiB, gzipped, as wrangler counts them", () => {
  const size = Number(/gzip: ([\d.]+) KiB/.exec(output)?.[1]);
  console.log(`the documents Worker: ${size} KiB gzipped, ${gzipSync(script).length} bytes`);
  expect(size).toBeLessThanOrEqual(65);
});

test("a Worker that makes no CRD carries nothing that makes one", () => {
  expect(script.includes("x-kubernetes-preserve-unknown-fields")).toBe(false);
});
