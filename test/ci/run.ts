/**
 * Runs every suite, says what each took, and ends with the line that machines read. Called by .ci/run.
 * @module
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildControlPlane } from "../cluster/control-plane/build.ts";
import { projectFiles, root } from "../repository/source-file.ts";
import { broken, check, closingLine, judgeBench, judgeVitest, type Outcome, succeeded } from "./outcome.ts";
import { benchScenarios, type Suite, suites } from "./suites.ts";

/** A suite that hangs is ended, so that the others still get their turn. */
const limitMs = 20 * 60_000;
const reports = mkdtempSync(join(tmpdir(), "sluice-ci-"));
const files = projectFiles();

function npmRun(suite: Suite, env: Record<string, string>, reportFile: string): Promise<boolean> {
  const reporting = {
    vitest: ["--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`],
    bench: ["--out", reportFile],
  };
  const args = [...suite.script, ...(suite.report ? reporting[suite.report] : [])];
  const [script = "", ...rest] = args;
  return new Promise((resolve) => {
    const child = spawn("npm", ["run", script, "--", ...rest], {
      cwd: root,
      detached: true,
      env: { ...process.env, ...env, ...suite.env },
      stdio: ["ignore", "inherit", "inherit"],
    });
    const timer = setTimeout(() => process.kill(-(child.pid ?? 0), "SIGKILL"), limitMs);
    child.once("error", () => resolve(false));
    child.once("exit", (code) => {
      clearTimeout(timer);
      resolve(code === 0);
    });
  });
}

async function run(suite: Suite, env: Record<string, string>): Promise<Outcome> {
  const reportFile = join(reports, `${suite.name}.json`);
  const ok = await npmRun(suite, env, reportFile);
  if (!suite.report) return check(ok);
  let outcome: Outcome;
  try {
    const report = JSON.parse(readFileSync(reportFile, "utf8"));
    const expected = suite.files?.(files) ?? [];
    outcome = suite.report === "vitest" ? judgeVitest(report, expected) : judgeBench(report, benchScenarios);
  } catch (error) {
    return broken(`it left no report: ${(error as Error).message}`);
  }
  return !ok && succeeded(outcome) ? { ...outcome, problems: ["its command failed"] } : outcome;
}

const seconds = (since: number) => Math.round((performance.now() - since) / 1000);
const rows: { name: string; seconds: number; share: number | undefined; outcome: Outcome }[] = [];

const installed = Number(process.env.INSTALL_SECONDS);
if (installed >= 0) rows.push({ name: "install", seconds: installed, share: 60, outcome: check(true) });

let startedAt = performance.now();
let bin: string | undefined;
try {
  bin = buildControlPlane();
} catch (error) {
  console.error(error);
}
// Up to five minutes without Go's build cache, and so outside of the shares.
rows.push({ name: "build", seconds: seconds(startedAt), share: undefined, outcome: check(bin !== undefined) });

for (const suite of suites) {
  console.log(`\n=== ${suite.name}: npm run ${suite.script.join(" ")}`);
  startedAt = performance.now();
  const outcome = await run(suite, bin ? { KUBEBUILDER_ASSETS: bin } : {});
  rows.push({ name: suite.name, seconds: seconds(startedAt), share: suite.shareSeconds, outcome });
}
rmSync(reports, { recursive: true, force: true });

console.log("\nsuite      seconds  share of 2700 s  result");
for (const { name, seconds: took, share, outcome } of rows) {
  const result = succeeded(outcome) ? `${outcome.passed} passed` : `FAILED, with ${outcome.failed} failed tests`;
  const over = share !== undefined && took > share ? " (over)" : "";
  console.log(
    `${name.padEnd(10)} ${String(took).padStart(7)}  ${String(share ?? "none").padStart(15)}  ${result}${over}`,
  );
  for (const problem of outcome.problems) console.log(`  ${problem}`);
}
const outcomes = rows.map(({ outcome }) => outcome);
console.log(`\n${closingLine(outcomes)}`);
process.exitCode = outcomes.every(succeeded) ? 0 : 1;
