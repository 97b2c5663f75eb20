import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { falseClaims, type LabRun, reportIn, runLab, startLab } from "./lab-process.ts";

const ESCAPE = "\u001b[";
const folder = mkdtempSync(join(tmpdir(), "sluice-lab-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("on the embedded API server", () => {
  let told: LabRun;
  let json: LabRun;
  beforeAll(async () => {
    [told, json] = await Promise.all([runLab([], { env: { TMPDIR: folder } }), runLab(["--json"])]);
  }, 60_000);

  test("every claim holds, and says by what", () => {
    const report = reportIn(json);
    expect(falseClaims(report)).toEqual([]);
    expect(report.claims.map(({ id }) => id)).toEqual(["a", "b", "c", "d", "e", "f", "g"]);
    for (const { evidence } of report.claims) expect(Object.keys(evidence)).not.toEqual([]);
    expect(json).toMatchObject({ code: 0, stderr: "" });
  });

  test("it takes less than 20 seconds", () => {
    expect(reportIn(json).seconds).toBeLessThan(20);
  });

  test("all three resources are in the report", () => {
    expect(reportIn(json).resources).toMatchObject([
      { name: "docs", site: "gone", configMap: "gone", page: "taken down", lastAnswer: { outcome: "gone" } },
      { name: "blog", site: "Ready", configMap: "as wanted", page: "published" },
      { name: "shop", site: "Ready", configMap: "as wanted", page: "published" },
    ]);
  });

  test("it tells the four beats of each run, the claims, and a table", () => {
    expect(told).toMatchObject({ code: 0, stderr: "" });
    const beats = [...told.stdout.matchAll(/^ {4}(observe|compare|act|report) /gm)].map(([, beat]) => beat);
    const runs = told.stdout.match(/^ {2}run of /gm)!.length;
    expect(beats).toEqual(Array.from({ length: runs }, () => ["observe", "compare", "act", "report"]).flat());
    expect(
      [...told.stdout.matchAll(/^ {2}✔ \((.)\)/gm)]
        .map(([, id]) => id)
        .sort()
        .join(""),
    ).toBe("abcdefg");
    expect(told.stdout).toMatch(/^SITE {2}AT FIRST .*\ndocs .*\nblog .*\nshop .*\n\n7 of 7 claims hold/m);
  });

  test("the decision about the missing Secret is told as JSON", () => {
    expect(told.stdout).toContain('report   success {"requeueAfterMs":600000}');
  });

  test("there are no colours in a pipe", () => {
    expect(told.stdout).not.toContain(ESCAPE);
  });

  test("nothing is left in the folder for temporary files", () => {
    expect(readdirSync(folder)).toEqual([]);
  });
});

test("Ctrl-C in the middle removes all that it made", async () => {
  const lab = startLab([], { env: { TMPDIR: folder } });
  const made = () => readdirSync(folder).flatMap((name) => readdirSync(join(folder, name)));
  await vi.waitFor(() => expect(made()).toContain("state"), { timeout: 20_000 });
  lab.signal("SIGINT");
  lab.signal("SIGINT"); // as npm, which passes on what the terminal has sent already
  expect(await lab.ended).toMatchObject({ code: 130, stderr: "SIGINT: removing what the lab made\n" });
  expect(readdirSync(folder)).toEqual([]);
});

test("a lab that is killed takes its functions and its folder with it", async () => {
  const lab = startLab([], { env: { TMPDIR: folder } });
  const made = () => readdirSync(folder).flatMap((name) => readdirSync(join(folder, name)));
  await vi.waitFor(() => expect(made()).toContain("state"), { timeout: 20_000 });
  lab.signal("SIGKILL");
  await lab.ended;
  // It is the functions' process that removes it, on its way out.
  await vi.waitFor(() => expect(readdirSync(folder)).toEqual([]), { timeout: 10_000 });
});

test.each([
  [["--colour"], "--colour"],
  [["--kubeconfig", "absent.yaml"], "absent.yaml"],
])("wrong usage %j is a 2 that names it", async (args, named) => {
  const { code, stdout, stderr } = await runLab(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^error: /);
  expect(stderr).toContain(named);
});

test("a cluster that does not answer is a wrong kubeconfig: a 2 that names the server", async () => {
  const kubeconfig = join(folder, "nobody.kubeconfig");
  const config = {
    "current-context": "a",
    clusters: [{ name: "a", cluster: { server: "http://127.0.0.1:1" } }],
    contexts: [{ name: "a", context: { cluster: "a" } }],
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
  const { code, stderr } = await runLab(["--kubeconfig", kubeconfig]);
  rmSync(kubeconfig);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^error: --kubeconfig: no answer from http:\/\/127\.0\.0\.1:1: /);
});

test("nobody reads further: it ends quietly and removes what it made", async () => {
  const lab = startLab([], { env: { TMPDIR: folder } });
  lab.stopReading();
  expect(await lab.ended).toMatchObject({ code: 141, stderr: "" });
  expect(readdirSync(folder)).toEqual([]);
});

test("a TMPDIR without room for a folder is a 2 that names it", async () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  const { code, stderr } = await runLab([], { env: { TMPDIR: file } });
  rmSync(file);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^error: TMPDIR: no folder can be made in .*: set TMPDIR to a folder you may write to\n/);
});

test("--help says what it takes", async () => {
  const { code, stdout, stderr } = await runLab(["--help"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  for (const option of ["--kubeconfig", "--json", "--help"]) expect(stdout).toContain(option);
});
