import { describe, expect, it } from "vitest";
import { check, closingLine, judgeBench, judgeVitest, succeeded, type VitestReport } from "./outcome.ts";

const good: VitestReport = {
  numTotalTests: 2,
  numPassedTests: 2,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  success: true,
  testResults: [{ name: "/clone/test/a.test.ts", assertionResults: [{}, {}] }],
};

describe("a suite of tests", () => {
  it("passes when all its files ran and all their tests passed", () => {
    expect(judgeVitest(good, ["test/a.test.ts"])).toEqual({ passed: 2, failed: 0, problems: [] });
  });

  it.each<[string, Partial<VitestReport>, readonly string[]]>([
    ["it ran no test", { numTotalTests: 0, numPassedTests: 0 }, []],
    ["1 tests were skipped", { numPendingTests: 1, numPassedTests: 1 }, []],
    ["1 tests are still to be written", { numTodoTests: 1, numPassedTests: 1 }, []],
    ["test/b.test.ts ran no test", {}, ["test/a.test.ts", "test/b.test.ts"]],
    [
      "test/a.test.ts ran no test",
      { testResults: [{ name: "/a/test/a.test.ts", assertionResults: [] }] },
      ["test/a.test.ts"],
    ],
    ["it failed outside of its tests", { success: false }, []],
  ])("fails because %s", (problem, change, files) => {
    const outcome = judgeVitest({ ...good, ...change }, files);
    expect(outcome.problems).toEqual([problem]);
    expect(succeeded(outcome)).toBe(false);
  });

  it("fails with a failed test", () => {
    const outcome = judgeVitest({ ...good, numPassedTests: 1, numFailedTests: 1, success: false }, []);
    expect(outcome).toEqual({ passed: 1, failed: 1, problems: [] });
    expect(succeeded(outcome)).toBe(false);
  });
});

it("a bench fails with a scenario that failed or did not run", () => {
  const report = [{ name: "sluice", scenarios: { cold: {}, bulk: {} }, failures: { bulk: "time limit" } }];
  expect(judgeBench(report, ["cold", "bulk", "check"])).toEqual({
    passed: 1,
    failed: 1,
    problems: ["sluice did not run check", "sluice bulk: time limit"],
  });
  expect(judgeBench([], ["cold"]).problems).toEqual(["it measured nothing"]);
});

it("the closing line adds up, and says of no broken suite that nothing failed", () => {
  expect(closingLine([check(true), judgeVitest(good, [])])).toBe("3 passed, 0 failed");
  expect(closingLine([check(true), judgeVitest({ ...good, numPendingTests: 1 }, [])])).toBe("3 passed, 1 failed");
  expect(closingLine([check(false)])).toBe("0 passed, 1 failed");
});
