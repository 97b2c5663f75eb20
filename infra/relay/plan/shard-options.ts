import { label } from "../../../functions/contract/index.ts";
import type { OptionTable } from "../option.ts";
import { readSelector } from "./shard.ts";

const GROUP = "Relays that share a cluster, each for a part of it, with a Lease and a checkpoint of its own";

/** Which part of the cluster a relay is for, a row each. */
export const shardOptions = {
  watchNamespaces: {
    flag: "--watch-namespaces <names>",
    variable: "SLUICE_WATCH_NAMESPACES",
    group: GROUP,
    help: "only these, with commas between; kinds without a namespace are watched by every relay",
    must: "DNS labels with commas between",
    repeated: true,
    read(text) {
      const names = text.split(/[\s,]+/).filter((name) => name !== "");
      return names.length > 0 && names.every((name) => label.safeParse(name).success) ? names : undefined;
    },
  },
  watchSelector: {
    flag: "--watch-selector <selector>",
    variable: "SLUICE_WATCH_SELECTOR",
    group: GROUP,
    help: "only primaries with these labels, as kubectl selects them; what they are related to is watched by every relay",
    must: 'a label selector, as "team=a", "team in (a,b)" or "!team"',
    read: readSelector,
  },
} satisfies OptionTable;
