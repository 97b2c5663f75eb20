import { crdOf } from "sluice";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readExposition } from "../../relay/support/exposition.ts";
import { applyCrd, newNamespace } from "../support/cluster.ts";
import type { KubeApi } from "../support/kube-api.ts";
import { type Deployment, LIMIT_MS, SECRET, widgetsOf } from "./deployment.ts";
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

  const spawn = (options: { secret?: string; flags?: readonly string[] } = {}) => {
    const { url: ingress, gateway } = deployment;
    return spawnRelay({ kubeconfig, ingress, gateway, ...options });
  };

  test("the command `sluice relay` brings functions apart their triggers, and ends on SIGTERM with code 0", async () => {
    await using relay = spawn();
    await relay.printed("ready", { timeoutMs: LIMIT_MS });
    const kubectl = widgetsOf(api, await newNamespace(api));
    await kubectl.create("a", { text: "one" });
    await kubectl.ready("a", "one");
    expect(await relay.terminate()).toEqual({ code: 0, signal: null });
  });

  test("/readyz and /metrics tell what the relay does: who it is, what it holds, what it delivered", async () => {
    await using relay = spawn({ flags: ["--metrics-port", "0", "--bind", "127.0.0.1", "--log-level", "debug"] });
    const { url } = JSON.parse(await relay.complained(/metrics and health are served/, { timeoutMs: LIMIT_MS }));
    await relay.printed("ready", { timeoutMs: LIMIT_MS });
    const kubectl = widgetsOf(api, await newNamespace(api));
    await kubectl.create("a", { text: "one" });
    await kubectl.ready("a", "one");
    const readyz = () => fetch(`${url}/readyz?verbose`).then((response) => response.text());
    await expect.poll(readyz, { timeout: LIMIT_MS }).toMatch(/^\[\+\]cluster ok\n[\s\S]*readyz check passed\n$/m);
    const read = readExposition(await (await fetch(`${url}/metrics`)).text());
    const sum = (name: string, by: Record<string, string> = {}) =>
      read
        .filter(
          (each) => each.name === `sluice_relay_${name}` && Object.entries(by).every(([k, v]) => each.labels[k] === v),
        )
        .reduce((total, { value }) => total + value, 0);
    expect(sum("watch_objects", { resource: "widgets.test.sluice.dev" })).toBeGreaterThan(0);
    expect(sum("watch_events_total", { type: "ADDED" })).toBeGreaterThan(0);
    expect(sum("triggers_total", { result: "accepted" })).toBeGreaterThan(0);
    expect(sum("deliveries_total", { code: "202" })).toBeGreaterThan(0);
    expect(sum("outbox_keys")).toBe(0);
    const heard = read.filter(({ name }) => name === "sluice_relay_watch_last_event_timestamp_seconds");
    for (const { value } of heard) expect(Math.abs(Date.now() / 1_000 - value)).toBeLessThan(120);
    expect(await relay.terminate()).toEqual({ code: 0, signal: null });
    expect(relay.stderr.join("\n")).not.toContain(SECRET);
  });

  test("X1 a relay with another secret triggers nothing, says why, and shows no secret", async () => {
    const other = `whsec_${Buffer.from("another secret, of 32 bytes, too").toString("base64")}`;
    await using relay = spawn({ secret: other });
    await relay.complained(/bad-signature|401/, { timeoutMs: LIMIT_MS });
    expect([...relay.stdout, ...relay.stderr].join("\n")).not.toContain(other);
  });
}
