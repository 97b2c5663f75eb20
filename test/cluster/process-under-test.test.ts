import { join } from "node:path";
import { expect, it } from "vitest";
import { spawnProcess } from "./support/process-under-test.ts";

const script = join(import.meta.dirname, "support/stepping-child.ts");
const timeoutMs = 10_000;

it("holds a process at the occurrence asked for, so that a kill finds it exactly there", async () => {
  await using child = spawnProcess({ script, hold: [{ step: "first write done", occurrence: 2 }] });
  await child.reached("first write done", { timeoutMs });
  await child.kill9();
  expect(await child.exited).toEqual({ code: null, signal: "SIGKILL" });
  expect(child.stdout).toEqual(["before 1", "after 1", "before 2"]);
});

it("lets a released process go on to its end", async () => {
  await using child = spawnProcess({ script, hold: ["first write done"] });
  await child.reached("first write done", { timeoutMs });
  child.release("first write done");
  expect(await child.exited).toEqual({ code: 0, signal: null });
  expect(child.stdout.at(-1)).toBe("after 3");
});

it("runs through where nothing is to be held", async () => {
  await using child = spawnProcess({ script });
  expect(await child.printed(/^after 3$/, { timeoutMs })).toBe("after 3");
  expect(await child.exited).toEqual({ code: 0, signal: null });
});

it("fails a test whose step is never reached", async () => {
  await using child = spawnProcess({ script, hold: ["outbox filled, not delivered"] });
  await expect(child.reached("outbox filled, not delivered", { timeoutMs })).rejects.toThrow(
    'step "outbox filled, not delivered" reached: the process ended before (0)',
  );
  await using other = spawnProcess({ script, hold: ["first write done"] });
  await expect(other.reached("committed, not yet answered", { timeoutMs: 500 })).rejects.toThrow("not within 500 ms");
});
