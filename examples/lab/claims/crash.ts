import type { Lab } from "../lab.ts";
import type { Row } from "../store.ts";
import type { Claim } from "./claim.ts";

/** Between a trigger's acceptance and its run, for the kill to fall between. */
const DEBOUNCE_MS = 1_000;
/** On a machine that is busy enough, the kill comes late. */
const TRIES = 3;

export const crash: Claim = {
  id: "g",
  text: "a trigger that was accepted survives kill -9 of the scheduler",
  async prove(lab) {
    const { functions, door, journal, configMap, until } = lab;
    const { answered, text, row } = await killBetween(lab);
    const killedAt = performance.now();
    const from = journal.of("blog").length;
    await functions.start();
    const now = await until("blog ran after the restart", async () => {
      const found = await configMap("blog");
      return found?.data?.["index.html"] === text && found;
    });
    const run = await until("its run ended", () => journal.of("blog", from).at(0));
    const sentAgain = door.deliveries.filter(({ at }) => at > killedAt && at < run.startedAt);
    return {
      evidence: {
        ...{ answered, stored: row && { waiting: row.due !== null, running: row.lease !== null } },
        ...{ sentAgain: sentAgain.length, reasons: run.reasons, configMap: now.data },
      },
      checks: {
        "the trigger was in the store of the dead process": row !== undefined && row.due !== null && row.lease === null,
        "the relay sent nothing again": sentAgain.length === 0,
      },
    };
  },
};

/** Changes blog, and kills the functions after they accepted the trigger and before it ran. */
async function killBetween(lab: Lab): Promise<{ answered: number; text: string; row: Row | undefined }> {
  const { functions, door, journal, kubectl, place, configMap, until } = lab;
  for (let tries = 1; ; tries++) {
    await functions.stop();
    await functions.start({ debounceMs: DEBOUNCE_MS });
    const text = `Written before crash ${tries}`;
    const delivered = door.deliveries.length;
    await kubectl.merge(`${place.sites}/blog`, { spec: { text } });
    const { status: answered } = await until("blog's trigger was accepted", () =>
      door.deliveries.slice(delivered).find(({ name, accepted }) => name === "blog" && accepted),
    );
    await functions.kill();
    journal.abandon();
    const row = await lab.row("blog");
    const ran = row?.lease || (await configMap("blog"))?.data?.["index.html"] === text;
    if (!ran || tries === TRIES) return { answered, text, row };
  }
}
