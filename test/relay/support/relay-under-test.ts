import { createVirtualClock } from "../../../adapters/testing/virtual-clock.ts";
import type { Manifest } from "../../../functions/contract/index.ts";
import type { KubeObject } from "../../../functions/kube/resource.ts";
import type { Steps } from "../../../functions/ports/index.ts";
import { createMetrics } from "../../../infra/relay/metrics/metrics.ts";
import { startRelay } from "../../../infra/relay/relay.ts";
import { recordingLogger } from "../../support/recording-logger.ts";
import { configMaps, documents, manifestOf, objectOf, relationOf } from "./objects.ts";
import { createScriptedApi } from "./scripted-api.ts";
import { createScriptedIngress, secret } from "./scripted-ingress.ts";

/** Documents that own ConfigMaps. */
export const manifest = manifestOf({
  docs: [
    relationOf({ watch: { resource: documents }, predicate: "generation" }),
    relationOf({
      id: "owns/ConfigMap",
      watch: { resource: configMaps },
      mapping: { by: "owner", owner: "controller" },
    }),
  ],
});

export const document = (name: string, version: string, generation = 1) =>
  objectOf({ name, resourceVersion: version, generation });

/** A whole relay between an API server and an ingress that a test answers for. */
export function relayUnderTest(steps?: Steps) {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const api = createScriptedApi();
  const ingress = createScriptedIngress(clock);
  const logger = recordingLogger();
  const metrics = createMetrics();
  const relay = startRelay({
    cluster: "home",
    transport: api,
    ingress,
    secrets: [secret],
    clock,
    logger,
    random: () => 0.5,
    metrics,
    ...(steps ? { steps } : undefined),
  });
  let synced = false;
  void relay.synced.then(() => {
    synced = true;
  });

  /** The newest request for a kind. */
  function asked(plural: string) {
    const found = api.asked.findLast(({ path }) => path.endsWith(`/${plural}`));
    if (!found) throw new Error(`nothing was asked of ${plural}`);
    return found;
  }

  async function declare(declared: Manifest = manifest): Promise<void> {
    await clock.settle();
    ingress.last().answer(Response.json(declared));
    await clock.settle();
  }

  async function list(plural: string, items: KubeObject[]): Promise<void> {
    asked(plural).page(items, { resourceVersion: "10" });
    await clock.settle();
  }

  return {
    clock,
    api,
    ingress,
    logger,
    metrics,
    relay,
    asked,
    declare,
    list,
    synced: () => synced,
    /** Lists these documents and delivers them; the stream of what follows. */
    async sync(items: KubeObject[] = [document("a", "5")]) {
      await declare();
      await list("documents", items);
      await list("configmaps", []);
      const stream = asked("documents").stream();
      await clock.settle();
      ingress.last().accept();
      await clock.settle();
      return stream;
    },
  };
}
