import type { Lab } from "../lab.ts";
import { changes } from "../run.ts";
import { SITES } from "../sites.ts";
import type { Claim } from "./claim.ts";

export const secondRound: Claim = {
  id: "b",
  text: "a second round changes nothing",
  async prove(lab) {
    const { journal, door, until } = lab;
    const names = SITES.map(({ name }) => name);
    const before = await versions(lab);
    const from = journal.runs.length;
    await door.triggerAll(names);
    const round = () => journal.runs.slice(from).filter(({ reasons }) => reasons.includes("bulk"));
    await until("each ran again", () => names.every((name) => round().some((run) => run.name === name)));
    const after = await versions(lab);
    const pairs = Object.keys(before).map((what) => [what, [before[what], after[what]]] as const);
    const changing = journal.runs.slice(from).filter((run) => changes(run).length > 0);
    return {
      evidence: { ran: names, resourceVersions: Object.fromEntries(pairs) },
      checks: {
        "every resourceVersion is as before": pairs.every(([, [then, now]]) => then === now),
        "no write changed anything": changing.length === 0,
      },
    };
  },
};

/** The resourceVersion of each Site and its ConfigMap; null where there is none. */
async function versions({ site, configMap }: Lab): Promise<Record<string, string | null>> {
  const found: Record<string, string | null> = {};
  for (const { name } of SITES) {
    found[`Site ${name}`] = (await site(name))?.metadata.resourceVersion ?? null;
    found[`ConfigMap ${name}`] = (await configMap(name))?.metadata.resourceVersion ?? null;
  }
  return found;
}
