import { join } from "node:path";
import { crdOf } from "sluice";
import { afterAll, beforeAll, expect, test } from "vitest";
import { applyCrd, newNamespace, sharedCluster } from "../support/cluster.ts";
import { spawnProcess } from "../support/process-under-test.ts";
import { type Deployment, deploy, LIMIT_MS, SECRET, widgetsOf } from "./deployment.ts";
import { Widget } from "./widgets.ts";

const { api, kubeconfig } = sharedCluster();
const script = join(import.meta.dirname, "../../../infra/cli/main.ts");
let deployment: Deployment;

beforeAll(async () => {
  await applyCrd(api, crdOf(Widget));
  deployment = await deploy(kubeconfig, { apart: true });
});
afterAll(async () => {
  await deployment?.remove();
  await api.close();
});

test("the command `sluice relay` brings an app apart its triggers, and ends on SIGTERM with code 0", async () => {
  await using relay = spawnProcess({
    script,
    args: ["relay", "--kubeconfig", kubeconfig, "--cluster", "home", "--ingress", deployment.running.url!],
    env: { SLUICE_SECRET: SECRET },
  });
  await relay.printed("ready", { timeoutMs: LIMIT_MS });
  const kubectl = widgetsOf(api, await newNamespace(api));
  await kubectl.create("a", { text: "one" });
  await kubectl.ready("a", "one");
  expect(await relay.terminate()).toEqual({ code: 0, signal: null });
});

test("X1 a relay with another secret triggers nothing, says why, and shows no secret", async () => {
  const other = `whsec_${Buffer.from("another secret, of 32 bytes, too").toString("base64")}`;
  await using relay = spawnProcess({
    script,
    args: ["relay", "--kubeconfig", kubeconfig, "--cluster", "home", "--ingress", deployment.running.url!],
    env: { SLUICE_SECRET: other },
  });
  await relay.complained(/bad-signature|401/, { timeoutMs: LIMIT_MS });
  expect([...relay.stdout, ...relay.stderr].join("\n")).not.toContain(other);
});
