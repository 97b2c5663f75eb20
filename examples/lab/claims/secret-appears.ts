import type { Claim } from "./claim.ts";

export const secretAppears: Claim = {
  id: "d",
  text: "when the Secret appears, the waiting Site converges at once",
  async prove({ place, kubectl, site, configMap, functions, journal, until }) {
    const waiting = await until("shop waits for its requeue", () => functions.entry("shop"));
    const from = journal.of("shop").length;
    const createdAt = performance.now();
    await kubectl.create(place.secrets, { apiVersion: "v1", kind: "Secret", metadata: { name: "shop-key" } });
    const ready = await until("shop is ready", async () => {
      const [now, map] = await Promise.all([site("shop"), configMap("shop")]);
      return now?.status?.phase === "Ready" && map && { phase: now.status.phase, data: map.data };
    });
    const tookMs = Math.round(performance.now() - createdAt);
    const run = await until("its run ended", () => journal.of("shop", from).find(({ secret }) => secret?.found));
    return {
      evidence: { requeueDueInMs: waiting.dueInMs, tookMs, ...ready, reasons: run.reasons },
      checks: {
        "it was there before its requeue": waiting.dueInMs !== null && tookMs < waiting.dueInMs,
        "the Secret woke it": run.reasons.includes("related-object-updated"),
      },
    };
  },
};
