import { changes } from "../run.ts";
import type { Claim } from "./claim.ts";

const EDIT = { "index.html": "Edited by hand" };

export const handEdit: Claim = {
  id: "c",
  text: "a hand-edited ConfigMap is repaired in one run",
  async prove({ place, kubectl, configMap, journal, until }) {
    const wanted = (await configMap("blog"))?.data;
    const from = journal.of("blog").length;
    await kubectl.merge(`${place.configMaps}/blog`, { data: EDIT });
    const now = await until("blog's ConfigMap is as it was", async () => {
      const found = await configMap("blog");
      return JSON.stringify(found?.data) === JSON.stringify(wanted) && found;
    });
    const repairs = (run: Parameters<typeof changes>[0]) => changes(run).some(({ what }) => what === "ConfigMap blog");
    await until("the repairing run ended", () => journal.of("blog", from).some(repairs));
    const runs = journal.of("blog", from).findIndex(repairs) + 1;
    return {
      evidence: { edited: EDIT, repaired: now.data, runs },
      checks: { "the first run after the edit repaired it": runs === 1 },
    };
  },
};
