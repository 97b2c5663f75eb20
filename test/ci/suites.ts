/** One step of a full check: an npm script, and its share of the 45 minutes that all of them may take. */
export type Suite = {
  name: string;
  shareSeconds: number;
  /** The npm script and its arguments. */
  script: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Which report it is judged by; none for a command without tests. */
  report?: "vitest" | "bench";
  /** The test files that must have run, from all files of the project. */
  files?: (all: readonly string[]) => readonly string[];
};

export const benchScenarios = ["cold", "latency", "bulk", "check", "restart"];

const isTest = (path: string) => path.endsWith(".test.ts");
const needsCluster = (path: string) => path.startsWith("test/cluster/");
const labMutants = "test/lab/mutants.test.ts";

export const suites: readonly Suite[] = [
  { name: "lint", shareSeconds: 30, script: ["lint"] },
  { name: "types", shareSeconds: 30, script: ["typecheck"] },
  {
    name: "tests",
    shareSeconds: 300,
    script: ["test"],
    report: "vitest",
    files: (all) => all.filter((path) => isTest(path) && !needsCluster(path) && path !== labMutants),
  },
  { name: "demo", shareSeconds: 20, script: ["demo"] },
  { name: "lab", shareSeconds: 90, script: ["test:lab"], report: "vitest", files: () => [labMutants] },
  {
    name: "model",
    shareSeconds: 90,
    script: ["test:model"],
    env: { SLUICE_MODEL_RUNS: "20000" },
    report: "vitest",
    files: () => [
      "test/scheduler/model/model.test.ts",
      "test/scheduler/model/mutants.test.ts",
      "test/workers/model.test.ts",
    ],
  },
  {
    name: "cluster",
    shareSeconds: 720,
    script: ["test:cluster"],
    report: "vitest",
    files: (all) => all.filter((path) => isTest(path) && needsCluster(path)),
  },
  {
    name: "example",
    shareSeconds: 100,
    script: ["bench", "loop", "--scenarios", benchScenarios.join(","), "--count", "300", "--changes", "50"],
    report: "bench",
  },
  {
    name: "example on workerd",
    shareSeconds: 150,
    script: [
      ...["bench", "loop", "--runtime", "workerd", "--scenarios", benchScenarios.join(",")],
      ...["--count", "300", "--changes", "50"],
    ],
    report: "bench",
  },
  { name: "bench of the scheduler", shareSeconds: 30, script: ["bench", "scheduler", "--quick"] },
  { name: "bench of Workers", shareSeconds: 60, script: ["bench", "workers"] },
  {
    name: "bench of the relay",
    shareSeconds: 70,
    script: ["bench", "relay", "--count", "500", "--small", "0", "--changes", "50", "--settle", "5"],
  },
  { name: "bench of the in-process API server", shareSeconds: 30, script: ["bench", "kube-api"] },
];
