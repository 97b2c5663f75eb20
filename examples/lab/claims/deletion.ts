import { changes } from "../run.ts";
import type { Claim } from "./claim.ts";

/** A real cluster's garbage collector looks for new kinds every 30 s, and collects no child of a kind it does not know. */
const COLLECTION_LIMIT_MS = 60_000;

export const deletion: Claim = {
  id: "e",
  text: "a cleanup that fails is retried; then the finalizer goes, and the child is collected",
  async prove({ place, kubectl, site, configMap, web, journal, until }) {
    const publishedBefore = web.isPublished("docs");
    const from = journal.of("docs").length;
    web.refuseOnce();
    await kubectl.delete(`${place.sites}/docs`);
    await until("docs is gone", async () => !(await site("docs")));
    const cleanups = await until("its cleanup ended", () => {
      const deleting = journal.of("docs", from).filter(({ observed }) => observed?.metadata.deletionTimestamp);
      return deleting.some(({ outcome }) => outcome === "success") && deleting;
    });
    const publishedAfter = web.isPublished("docs");
    if (!publishedAfter)
      await until("the ConfigMap is collected", async () => !(await configMap("docs")), COLLECTION_LIMIT_MS);
    const [first, second] = cleanups;
    const writes = cleanups.map((run) => changes(run).map(({ what }) => what));
    return {
      evidence: {
        cleanups: cleanups.map(({ outcome, error, reasons }) => ({ outcome, error, reasons })),
        writes,
        published: [publishedBefore, publishedAfter],
        site: "gone",
        configMap: (await configMap("docs")) ? "there" : "gone",
      },
      checks: {
        "the cleanup failed once": first?.outcome === "error" && cleanups.length === 2,
        "the finalizer stayed then": writes[0]?.length === 0,
        "it was retried": second?.outcome === "success" && second.reasons.includes("error-retry"),
        "the finalizer went with the second": writes[1]?.join() === "Site docs: finalizer",
        "the page outside the cluster was taken down": publishedBefore && !publishedAfter,
      },
    };
  },
};
