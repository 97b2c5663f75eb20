import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listenOn } from "../../adapters/runtime/node/listen.ts";
import { openDatabase } from "../../adapters/sqlite/database.ts";
import { spawnProcess } from "../cluster/support/process-under-test.ts";
import { awayKubeconfig } from "./away-kubeconfig.ts";

const main = join(import.meta.dirname, "../../infra/cli/main.ts");
const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

/** Runs it to its end, with nothing of ours in the environment but what is given. */
function sluice(args: readonly string[], env: Record<string, string> = {}) {
  const { PATH = "" } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--conditions=sluice-source", main, ...args], {
    encoding: "utf8",
    env: { PATH, ...env },
  });
  return { status, stdout, stderr };
}

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "sluice-cli-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe("usage", () => {
  it("--version tells the package's version", () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
    expect(sluice(["--version"])).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
  });

  it("--help names every command, and the variable of the secret", () => {
    const { status, stdout } = sluice(["--help"]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/relay[\s\S]*store/);
    expect(sluice(["relay", "--help"]).stdout).toContain("SLUICE_SECRET");
    expect(sluice(["relay", "--help"]).stdout).toContain("SLUICE_SERVICE_ACCOUNT");
  });

  it.each([
    ["an unknown command", ["rely"], "rely"],
    ["an unknown option", ["relay", "--clutser", "home"], "--clutser"],
    ["a secret on the command line", ["relay", "--secret", secret], "--secret"],
    ["an option without its value", ["relay", "--ingress"], "--ingress"],
    ["a missing argument", ["store", "new-epoch"], "file"],
    ["a missing setting", ["relay", "--cluster", "home"], "--ingress"],
    ["a setting of the wrong form", ["relay", "--cluster", "Home!", "--ingress", "http://127.0.0.1"], "--cluster"],
    ["a missing secret", ["relay", "--cluster", "home", "--ingress", "http://127.0.0.1"], "SLUICE_SECRET"],
  ])("%s ends with 2 and is named", (_, args, named) => {
    const { status, stdout, stderr } = sluice(args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toContain(named);
    expect(stderr).not.toContain(secret);
  });

  it("X4 a secret of the wrong form is not repeated", () => {
    const wrong = "whsec_tooshort";
    const args = ["relay", "--cluster", "home", "--ingress", "http://127.0.0.1"];
    const { status, stderr } = sluice(args, { SLUICE_SECRET: wrong });
    expect(status).toBe(2);
    expect(stderr).not.toContain(wrong);
  });
});

describe("store new-epoch", () => {
  it("S14 gives the store another epoch and prints it", () => {
    const file = join(dir, "sluice.db");
    const before = openDatabase(file);
    before.database.close();
    const { status, stdout } = sluice(["store", "new-epoch", file]);
    expect(status).toBe(0);
    const after = openDatabase(file);
    after.database.close();
    expect(after.epoch).toBe(stdout.trim());
    expect(after.epoch).not.toBe(before.epoch);
  });

  it("makes no store where there is none", () => {
    const file = join(dir, "absent.db");
    const { status, stderr } = sluice(["store", "new-epoch", file]);
    expect(status).toBe(1);
    expect(stderr).toBe(`error: ${file} does not exist\n`);
  });

  it("moves a damaged file aside, says where to, and makes a new store", () => {
    const file = join(dir, "sluice.db");
    openDatabase(file).database.close();
    const bytes = readFileSync(file).fill(0xff, 0, 4_096);
    writeFileSync(file, bytes);
    const { status, stdout, stderr } = sluice(["store", "new-epoch", file]);
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: expect.stringContaining(`${file} was damaged: it is moved to ${file}.damaged`),
    });
    expect(readFileSync(`${file}.damaged`)).toEqual(bytes);
    const after = openDatabase(file);
    after.database.close();
    expect(after.epoch).toBe(stdout.trim());
  });

  it("leaves a file alone that a scheduler has open", () => {
    const file = join(dir, "sluice.db");
    const { database } = openDatabase(file);
    const { status, stderr } = sluice(["store", "new-epoch", file]);
    database.close();
    expect(status).toBe(1);
    expect(stderr).toContain("is in use by another process");
  });
});

describe("a relay whose cluster and functions are away", () => {
  let args: string[];
  beforeEach(() => {
    const kubeconfig = awayKubeconfig(dir);
    args = ["relay", "--kubeconfig", kubeconfig, "--ingress", "http://127.0.0.1:1", "--cluster", "home"];
  });
  const gateway = (port: number) => ["--gateway-port", String(port), "--service-account", "functions/reconcilers"];

  it("keeps trying, and SIGTERM ends it with 0", async () => {
    await using process = spawnProcess({ script: main, args, env: { SLUICE_SECRET: secret } });
    await process.complained(/./, { timeoutMs: 10_000 });
    expect(await process.terminate()).toEqual({ code: 0, signal: null });
    expect(process.stderr.join("\n")).not.toContain(secret);
  });

  it("X1 serves its gateway all the same, which believes nobody, and SIGTERM ends it with 0", async () => {
    await using process = spawnProcess({
      script: main,
      args: [...args, ...gateway(0)],
      env: { SLUICE_SECRET: secret },
    });
    const { url } = JSON.parse(await process.complained(/the gateway listens/, { timeoutMs: 10_000 }));
    const { port } = new URL(url);
    expect((await fetch(`http://127.0.0.1:${port}/api/v1/namespaces`)).status).toBe(401);
    expect(await process.terminate()).toEqual({ code: 0, signal: null });
  });

  it("ends with 1 where the gateway's port is taken", async () => {
    const other = await listenOn(() => new Response(), { port: 0 });
    await using process = spawnProcess({
      script: main,
      args: [...args, ...gateway(Number(new URL(other.url).port))],
      env: { SLUICE_SECRET: secret },
    });
    expect(await process.exited).toEqual({ code: 1, signal: null });
    expect(process.stderr.join("\n")).toContain("EADDRINUSE");
    await other.close();
  });
});
