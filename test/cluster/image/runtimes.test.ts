import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { crdOf } from "sluice";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Trigger } from "../../../functions/contract/index.ts";
import { manifestOf } from "../../../functions/controller/manifest.ts";
import { buildRelay } from "../../../infra/image/build.ts";
import { SECRET, widgetsOf } from "../loop/deployment.ts";
import { newRecorder, Widget, widgetsController } from "../loop/widgets.ts";
import { applyCrd, newNamespace, sharedCluster } from "../support/cluster.ts";
import { eventually } from "../support/eventually.ts";
import { spawnProcess } from "../support/process-under-test.ts";
import { denoCommand, imageEnv } from "./dockerfile.ts";
import { type RecordedFunctions, serveFunctions } from "./functions.ts";
import { denoProgram } from "./sandbox.ts";

const LIMIT_MS = 60_000;
const { api, kubeconfig, certificateKubeconfig } = sharedCluster();
const dir = mkdtempSync(join(tmpdir(), "sluice-image-"));
const bundle = join(dir, "relay.js");
const triggers: Trigger[] = [];
let functions: RecordedFunctions;

beforeAll(async () => {
  await Promise.all([buildRelay(bundle), applyCrd(api, crdOf(Widget))]);
  functions = await serveFunctions(await manifestOf([widgetsController(newRecorder())]));
  functions.onAccepted = (batch) => triggers.push(...batch);
});
afterAll(async () => {
  await functions?.close();
  await api.close();
  rmSync(dir, { recursive: true, force: true });
});

const runtimes = {
  deno: denoCommand({ deno: denoProgram(), bundle, read: [dir, dirname(kubeconfig)] }),
  node: [process.execPath, bundle],
};
const start = (runtime: keyof typeof runtimes, KUBECONFIG: string, args: readonly string[] = []) =>
  spawnProcess({
    script: bundle,
    command: [...runtimes[runtime], ...args],
    env: { ...imageEnv(), KUBECONFIG, SLUICE_CLUSTER: "home", SLUICE_INGRESS: functions.url, SLUICE_SECRET: SECRET },
  });

describe.each(["deno", "node"] as const)("the same bundle on %s", (runtime) => {
  test("lists, watches and triggers with a client certificate, and ends on SIGTERM with code 0", async () => {
    await using relay = start(runtime, certificateKubeconfig);
    await relay.printed("ready", { timeoutMs: LIMIT_MS });
    const namespace = await newNamespace(api);
    await widgetsOf(api, namespace).create("a", { text: "one" });
    await eventually("the object triggers", LIMIT_MS, () => triggers.some((each) => each.namespace === namespace));
    expect(await relay.terminate()).toEqual({ code: 0, signal: null });
  });

  test("trusts no API server whose CA it was not given", async () => {
    const stranger = join(dir, `kubeconfig-${runtime}`);
    const text = readFileSync(kubeconfig, "utf8").replace(/certificate-authority-data: .*/, "");
    writeFileSync(stranger, text);
    await using relay = start(runtime, stranger);
    await relay.complained(/no answer from https:/, { timeoutMs: LIMIT_MS });
    expect(relay.stdout).not.toContain("ready");
  });

  test("refuses a wrong setting by its name with code 2, from flags and from the environment", async () => {
    await using byFlag = start(runtime, kubeconfig, ["--cluster", "Not A Label"]);
    expect(await byFlag.exited).toEqual({ code: 2, signal: null });
    expect(byFlag.stderr.join("\n")).toMatch(/^error: --cluster \(SLUICE_CLUSTER\) must be a DNS label/m);
    await using byVariable = spawnProcess({
      script: bundle,
      command: runtimes[runtime],
      env: {
        ...imageEnv(),
        KUBECONFIG: kubeconfig,
        SLUICE_CLUSTER: "home",
        SLUICE_INGRESS: "ftp://x",
        SLUICE_SECRET: SECRET,
      },
    });
    expect(await byVariable.exited).toEqual({ code: 2, signal: null });
    expect(byVariable.stderr.join("\n")).toMatch(/^error: --ingress \(SLUICE_INGRESS\) must be/m);
  });
});
