/**
 * The lab: `npm run demo`. Runs one small controller through what a reconciler must get right, and checks it.
 * @module
 */
import { type Verdict, verdictOf } from "./claims/claim.ts";
import { CLAIMS } from "./claims/index.ts";
import { firstRound } from "./first-round.ts";
import { InterruptedError, interruption } from "./interruption.ts";
import { openLab } from "./lab.ts";
import { createLeftovers, type Leftovers } from "./leftovers.ts";
import { createNarrator, silentNarrator } from "./narrator.ts";
import { type Options, optionsOf, USAGE, UsageError } from "./options.ts";
import { type Report, reportOf } from "./report.ts";
import type { Run } from "./run.ts";

async function runLab({ kubeconfig, json }: Options, signal: AbortSignal, leftovers: Leftovers): Promise<Report> {
  const startedAt = performance.now();
  const narrator = json ? silentNarrator : createNarrator();
  // In the end the lab deletes what is left: those runs are not part of the story.
  let isOver = false;
  const onRun = (run: Run) => isOver || signal.aborted || narrator.run(run);
  const lab = await openLab({ ...(kubeconfig && { kubeconfig }), signal, onRun, leftovers });
  try {
    narrator.opening(lab.cluster, lab.place);
    await firstRound(lab, narrator);
    const verdicts: Verdict[] = [];
    for (const { doing, claim } of CLAIMS) {
      if (doing) narrator.heading(doing);
      const verdict = await verdictOf(claim, lab);
      narrator.verdict(verdict);
      verdicts.push(verdict);
      await lab.quiet();
    }
    const report = await reportOf(lab, verdicts, startedAt);
    narrator.closing(report);
    isOver = true;
    return report;
  } finally {
    await lab.close();
  }
}

/** @returns the exit code. */
async function main(argv: readonly string[]): Promise<number> {
  const leftovers = createLeftovers();
  const code = await told(argv, interruption(), leftovers);
  // After what went wrong first, which may be why.
  for (const each of leftovers.list) console.error(`not removed: ${each}`);
  return leftovers.list.length === 0 ? code : 1;
}

async function told(argv: readonly string[], signal: AbortSignal, leftovers: Leftovers): Promise<number> {
  try {
    const options = optionsOf(argv);
    if (options.help) {
      console.log(USAGE);
      return 0;
    }
    const report = await runLab(options, signal, leftovers);
    if (options.json) console.log(JSON.stringify(report, null, 2));
    const wrong = report.claims.filter(({ holds }) => !holds);
    for (const { id, claim, wrong: why = [] } of wrong) console.error(`false: (${id}) ${claim}: ${why.join("; ")}`);
    return wrong.length === 0 ? 0 : 1;
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`error: ${error.message}\nnpm run demo -- --help says what it takes.`);
      return 2;
    }
    if (error instanceof InterruptedError) return error.exitCode;
    console.error(`error: ${(error as Error).message}`);
    return 1;
  }
}

process.exitCode = await main(process.argv.slice(2));
