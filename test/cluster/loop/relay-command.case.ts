import { crdOf } from "sluice";
import { afterAll, beforeAll, expect, test } from "vitest";
import { applyCrd, newNamespace } from "../support/cluster.ts";
import type { KubeApi } from "../support/kube-api.ts";
import { type Deployment, LIMIT_MS, widgetsOf } from "./deployment.ts";
import { spawnRelay } from "./spawn-relay.ts";
import { Widget } from "./widgets.ts";

/** The command `sluice relay` before functions that wait for a relay. */
export function takesTheCommand(
  { api, kubeconfig }: { api: KubeApi; kubeconfig: string },
  deployed: () => Promise<Deployment>,
): void {
  let deployment: Deployment;

  beforeAll(async () => {
    await applyCrd(api, crdOf(Widget));
    deployment = await deployed();
  });
  afterAll(async () => {
    await deployment?.remove();
    await api.close();
  });

  const spawn = (secret?: string) => {
    const { url: ingress, gateway } = deployment;
    return spawnRelay({ kubeconfig, ingress, gateway, ...(secret !== undefined && { secret }) });
  };

  test("the command `sluice relay` brings functions apart their triggers, and ends on SIGTERM with code 0", async () => {
    await using relay = spawn();
    await relay.printed("ready", { timeoutMs: LIMIT_MS });
    const kubectl = widgetsOf(api, await newNamespace(api));
    await kubectl.create("a", { text: "one" });
    await kubectl.ready("a", "one");
    expect(await relay.terminate()).toEqual({ code: 0, signal: null });
  });

  test("X1 a relay with another secret triggers nothing, says why, and shows no secret", async () => {
    const other = `whsec_${Buffer.from("another secret, of 32 bytes, too").toString("base64")}`;
    await using relay = spawn(other);
    await relay.complained(/bad-signature|401/, { timeoutMs: LIMIT_MS });
    expect([...relay.stdout, ...relay.stderr].join("\n")).not.toContain(other);
  });
}
