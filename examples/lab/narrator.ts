import { styleText } from "node:util";
import type { Verdict } from "./claims/claim.ts";
import type { Cluster } from "./cluster.ts";
import { CONTROLLER } from "./controller.ts";
import { CLUSTER } from "./functions.ts";
import type { Place } from "./place.ts";
import type { Report } from "./report.ts";
import { changes, type Run, type Write } from "./run.ts";
import { tableOf } from "./table.ts";
import { wrap } from "./wrap.ts";

/** Tells what happens while it happens. */
export interface Narrator {
  opening(cluster: Cluster, place: Place): void;
  heading(text: string): void;
  run(run: Run): void;
  verdict(verdict: Verdict): void;
  closing(report: Report): void;
}

/** Says nothing: for `--json`. */
export const silentNarrator: Narrator = {
  opening() {},
  heading() {},
  run() {},
  verdict() {},
  closing() {},
};

const LONGEST_VALUE = 90;
/** Prose is harder to read in longer lines, however wide the terminal is. */
const LONGEST_PROSE = 120;
/** Where the text of a beat begins. */
const BEAT_INDENT = 13;

/**
 * Prints to stdout. Colours are left out where that is no terminal, or NO_COLOR is set.
 * @param columns of the terminal; without one no line is broken.
 */
export function createNarrator(columns = process.stdout.columns ?? Number.POSITIVE_INFINITY): Narrator {
  let prefix = "";
  const print = (lines: readonly string[]) => {
    for (const line of lines) console.log(line);
  };
  const say = (line = "", hang = 0) => print(wrap(line, columns, hang));
  const prose = (text: string) => print(wrap(text, Math.min(columns, LONGEST_PROSE)));
  const beat = (name: string, text: string) => say(`    ${styleText("dim", name.padEnd(8))} ${text}`, BEAT_INDENT);
  return {
    opening({ kind, version }, { namespace, crdIsOurs }) {
      prefix = `${CLUSTER}/${CONTROLLER}/${namespace}`;
      const server = kind === "embedded" ? "an API server in memory" : `a real cluster (${version})`;
      say(`A controller of Sites on ${server}, namespace ${namespace}.`);
      prose(
        "A Site's text goes into a ConfigMap of its name, and to a web server outside the cluster. The Secret that its " +
          "spec may name has to be there first. A relay watches and triggers; a run never gets an event, only the key: " +
          "it reads the Site anew, compares, writes what differs, and answers when to run again. Where a write says " +
          "12 → 13, these are the object's resourceVersions: it changed.",
      );
      if (kind === "real" && crdIsOurs)
        say("The last claim takes up to 45 s: a cluster's garbage collector looks for new kinds every 30 s.");
    },
    heading(text) {
      say();
      say(styleText("bold", `▸ ${text}`), 2);
    },
    run(run) {
      const because = run.reasons.length > 0 ? ` (${run.reasons.join(", ")})` : "";
      say(`  run of ${styleText("cyan", `${prefix}/${run.name}`)}${because}`, 4);
      beat("observe", observed(run));
      beat("compare", compared(run));
      beat("act", changes(run).map(written).join(", ") || "nothing to change");
      beat("report", answered(run));
    },
    verdict({ id, claim, holds, evidence, wrong = [] }) {
      say(`  ${styleText(holds ? "green" : "red", `${holds ? "✔" : "✘"} (${id}) ${claim}`)}`, 4);
      for (const what of wrong) say(`    ${styleText("red", what)}`, 6);
      for (const [name, value] of Object.entries(evidence))
        for (const line of shown(name, value)) say(`      ${line}`, 8);
    },
    closing({ claims, resources, seconds }) {
      say();
      for (const line of tableOf(resources, columns))
        say(line.startsWith("SITE ") ? styleText("bold", line) : line, 13);
      say();
      const held = claims.filter(({ holds }) => holds).length;
      const style = held === claims.length ? "green" : "red";
      say(styleText(style, `${held} of ${claims.length} claims hold, after ${seconds} s.`));
    },
  };
}

/** One line; one a member where that would be long. */
function shown(name: string, value: unknown): string[] {
  const text = JSON.stringify(value);
  if (text.length <= LONGEST_VALUE || typeof value !== "object" || value === null) return [`${name} ${text}`];
  if (Array.isArray(value)) return value.map((each) => `${name} ${JSON.stringify(each)}`);
  return Object.entries(value).map(([member, each]) => `${name} of ${member} ${JSON.stringify(each)}`);
}

function observed({ name, observed: site, secret }: Run): string {
  if (!site) return `Site ${name} does not exist any more`;
  const { uid, resourceVersion, generation, deletionTimestamp } = site.metadata;
  const dependency = secret ? `; Secret ${secret.name} is ${secret.found ? "there" : "missing"}` : "";
  const deleting = deletionTimestamp ? ", being deleted" : "";
  return `Site ${name}, uid ${uid.slice(0, 8)}, resourceVersion ${resourceVersion}, generation ${generation}${deleting}${dependency}`;
}

function compared({ name, observed: site, secret, compared: pair }: Run): string {
  if (!site) return "nothing is wanted";
  if (site.metadata.deletionTimestamp) return "nothing is wanted: its page is to be taken down";
  if (secret && !secret.found) return "what is wanted is not known without the Secret";
  if (!pair) return "it did not come to that";
  const { wanted, there } = pair;
  if (!there) return `ConfigMap ${name} is missing, wanted ${JSON.stringify(wanted)}`;
  const differing = Object.keys({ ...wanted, ...there }).filter((key) => wanted[key] !== there[key]);
  if (differing.length === 0) return `ConfigMap ${name} is equal`;
  const texts = differing.map(
    (key) => `${key} is ${JSON.stringify(there[key])}, wanted ${JSON.stringify(wanted[key])}`,
  );
  return `ConfigMap ${name}: ${texts.join(", ")}`;
}

function written({ what, before, after }: Write): string {
  return before ? `${what} ${before} → ${after ?? "gone"}` : `${what} created at ${after}`;
}

function answered({ outcome, action, error, attempt }: Run): string {
  if (action) return `${outcome} ${JSON.stringify(action)}`;
  return error ? `${outcome} (failure ${(attempt ?? 0) + 1}): ${error}` : outcome;
}
