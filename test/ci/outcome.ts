/** What came of one suite. */
export type Outcome = {
  passed: number;
  failed: number;
  /** Why it does not count as passed, beside the failed tests. */
  problems: readonly string[];
};

/** What is read of vitest's JSON report. */
export type VitestReport = {
  numTotalTests: number;
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  success: boolean;
  testResults: readonly { name: string; assertionResults: readonly unknown[] }[];
};

/**
 * A suite counts only where all of it ran: an empty one, a skipped test and a file that was left out are problems.
 *
 * @param files that must have been run, as ends of the paths in the report.
 */
export function judgeVitest(report: VitestReport, files: readonly string[]): Outcome {
  const { numTotalTests, numPendingTests, numTodoTests, success, numFailedTests } = report;
  const ran = report.testResults.filter(({ assertionResults }) => assertionResults.length > 0).map(({ name }) => name);
  const missing = files.filter((file) => !ran.some((name) => name.endsWith(`/${file}`)));
  const problems = [
    ...(numTotalTests === 0 ? ["it ran no test"] : []),
    ...(numPendingTests > 0 ? [`${numPendingTests} tests were skipped`] : []),
    ...(numTodoTests > 0 ? [`${numTodoTests} tests are still to be written`] : []),
    ...missing.map((file) => `${file} ran no test`),
    // A file that cannot be loaded, or an error outside of tests, fails a run without failing a test.
    ...(!success && numFailedTests === 0 ? ["it failed outside of its tests"] : []),
  ];
  return { passed: report.numPassedTests, failed: numFailedTests, problems };
}

/** What is read of a bench's report: one entry a command, with what it was measured at and where it failed. */
export type BenchReport = readonly { name: string; scenarios: object; failures: Readonly<Record<string, string>> }[];

/** Each scenario of each command counts as a test. */
export function judgeBench(report: BenchReport, scenarios: readonly string[]): Outcome {
  const missing = report.flatMap(({ name, scenarios: ran, failures }) =>
    scenarios
      .filter((scenario) => !(scenario in ran) && !(scenario in failures))
      .map((s) => `${name} did not run ${s}`),
  );
  const failures = report.flatMap(({ name, failures }) =>
    Object.entries(failures).map(([s, why]) => `${name} ${s}: ${why}`),
  );
  const total = report.length * scenarios.length;
  return {
    passed: total - failures.length - missing.length,
    failed: failures.length,
    problems: [...(total === 0 ? ["it measured nothing"] : []), ...missing, ...failures],
  };
}

/** A command without tests of its own: one check. */
export const check = (ok: boolean): Outcome => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, problems: [] });

/** A suite that came to nothing. */
export const broken = (problem: string): Outcome => ({ passed: 0, failed: 1, problems: [problem] });

export const succeeded = ({ failed, problems }: Outcome): boolean => failed === 0 && problems.length === 0;

/** The line that machines read at the end: a problem counts as a failure, so that it never looks like success. */
export function closingLine(outcomes: readonly Outcome[]): string {
  const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
  const failed = outcomes.reduce((sum, outcome) => sum + Math.max(outcome.failed, succeeded(outcome) ? 0 : 1), 0);
  return `${passed} passed, ${failed} failed`;
}
