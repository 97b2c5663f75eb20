import { changes } from "../run.ts";
import type { Claim } from "./claim.ts";

export const statusWrite: Claim = {
  id: "f",
  text: "writing status causes no further run",
  async prove({ door, journal, until }) {
    const status = await until("blog's status was written", () =>
      journal
        .of("blog")
        .flatMap(changes)
        .find(({ what }) => what === "Site blog: status"),
    );
    // Sites come in one stream: when a later event was delivered, the status write before it was looked at.
    await until("an event after it was delivered", () => door.deliveries.some(({ name }) => name === "shop"));
    const triggers = door.deliveries.filter(({ name, cause }) => name === "blog" && cause.startsWith("Site "));
    const runs = journal.of("blog").filter(({ reasons }) => reasons.includes("object-updated"));
    return {
      evidence: { statusWritten: [status.before, status.after], triggers: triggers.length, runs: runs.length },
      checks: {
        "the status write changed the Site": status.before !== status.after,
        "nothing but its creation triggered it": triggers.length === 1,
        "it ran once": runs.length === 1,
      },
    };
  },
};
