import { describe, expect, test } from "vitest";
import { DeadlineError } from "../../../functions/kube/errors.ts";
import type { KubeRequest, Step } from "../../../functions/ports/index.ts";
import { ConfigMap, configMap, document, draft } from "./objects.ts";
import { all, kubeOver, scripted, status } from "./scripted-transport.ts";

const at = { namespace: "default", name: "a" };

describe("S5 past the deadline", () => {
  const past = (transport: ReturnType<typeof scripted>) => kubeOver(transport, { remainingMs: () => 0 });

  test.each([
    ["get", (kube: ReturnType<typeof past>) => kube.get(ConfigMap, at)],
    ["find", (kube: ReturnType<typeof past>) => kube.find(ConfigMap, at)],
    ["list", (kube: ReturnType<typeof past>) => all(kube.list(ConfigMap))],
    ["create", (kube: ReturnType<typeof past>) => kube.create(draft)],
    ["apply", (kube: ReturnType<typeof past>) => kube.apply(draft, { owner: document() })],
    ["jsonPatch", (kube: ReturnType<typeof past>) => kube.jsonPatch(configMap(), [])],
    ["mergePatch", (kube: ReturnType<typeof past>) => kube.mergePatch(configMap(), {})],
    ["patchStatus", (kube: ReturnType<typeof past>) => kube.patchStatus(document(), { phase: "Ready" })],
    ["delete", (kube: ReturnType<typeof past>) => kube.delete(configMap())],
  ])("%s sends nothing", async (_, call) => {
    const transport = scripted();
    await expect(call(past(transport))).rejects.toBeInstanceOf(DeadlineError);
    expect(transport.sent).toEqual([]);
  });

  test("the second request of a call is not sent either", async () => {
    let remaining = 1;
    const transport = scripted(() => {
      remaining = 0;
      return status(409, "Conflict");
    });
    const kube = kubeOver(transport, { remainingMs: () => remaining });
    await expect(kube.apply(draft, { owner: document() })).rejects.toBeInstanceOf(DeadlineError);
    expect(transport.sent).toHaveLength(1);
  });
});

describe("S5 an aborted run", () => {
  test("sends nothing, and says why", async () => {
    const transport = scripted();
    const kube = kubeOver(transport, { signal: AbortSignal.abort(new Error("the run has ended")) });
    await expect(kube.get(ConfigMap, at)).rejects.toThrow("the run has ended");
    await expect(kube.apply(draft)).rejects.toThrow("the run has ended");
    expect(transport.sent).toEqual([]);
  });

  test("hands its signal to every request", async () => {
    const { signal } = new AbortController();
    const signals: KubeRequest["signal"][] = [];
    const transport = {
      async fetch(_path: string, init?: KubeRequest) {
        signals.push(init?.signal);
        return Response.json(configMap());
      },
    };
    const kube = kubeOver(transport, { signal });
    await kube.get(ConfigMap, at);
    await kube.apply(draft);
    expect(signals).toEqual([signal, signal]);
  });
});

describe("the step after the first write", () => {
  test("is reached once, before the caller goes on, and not by a read or a refusal", async () => {
    const order: (Step | string)[] = [];
    const steps = { reach: async (step: Step) => void order.push(step) };
    const transport = scripted(configMap(), status(403, "Forbidden"), configMap(), configMap());
    const kube = kubeOver(transport, { steps });
    await kube.get(ConfigMap, at);
    await kube.apply(draft).catch(() => order.push("refused"));
    await kube.apply(draft);
    order.push("applied");
    await kube.apply(draft);
    expect(order).toEqual(["refused", "first write done", "applied"]);
  });
});
