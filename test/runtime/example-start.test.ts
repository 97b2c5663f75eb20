import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { lockFolder } from "../../examples/workerd/lock-folder.ts";
import { root } from "../repository/source-file.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-example-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const absent = join(folder, "absent");
const silent = join(folder, "silent");
writeFileSync(
  silent,
  JSON.stringify({
    ...{ apiVersion: "v1", kind: "Config", "current-context": "a" },
    clusters: [{ name: "a", cluster: { server: "https://127.0.0.1:1" } }],
    users: [{ name: "a", user: { token: "t0ken" } }],
    contexts: [{ name: "a", context: { cluster: "a", user: "a" } }],
  }),
);

/** As the shell would. */
function start(runtime: string, env: { KUBECONFIG: string; STATE_DIR: string }) {
  const args = ["--conditions=sluice-source", join(root, "examples/run.ts"), "documents", "--runtime", runtime];
  return spawnSync(process.execPath, args, { env: { ...process.env, ...env }, encoding: "utf8", timeout: 15_000 });
}

test.each([
  ["node", absent, `kubeconfig ${absent}: cannot be read (ENOENT)`],
  ["workerd", absent, `kubeconfig ${absent}: cannot be read (ENOENT)`],
  ["workerd", silent, "no answer from https://127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1"],
])("on %s the example says in a line why it cannot start, and ends with 1", (runtime, KUBECONFIG, line) => {
  const { status, stderr } = start(runtime, { KUBECONFIG, STATE_DIR: join(folder, "state") });
  expect([status, stderr]).toEqual([1, `${line}\n`]);
});

test("S14 on workerd the example refuses a state folder that another process has, before it prints ready", () => {
  const STATE_DIR = join(folder, "taken");
  const lock = lockFolder(STATE_DIR);
  const { status, stdout, stderr } = start("workerd", { KUBECONFIG: silent, STATE_DIR });
  lock.release();
  expect([status, stdout, stderr]).toEqual([1, "", `STATE_DIR ${STATE_DIR}: it is in use by another process\n`]);
});
