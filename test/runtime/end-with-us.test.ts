import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test, vi } from "vitest";
import { root } from "../repository/source-file.ts";

const parent = `
import { spawn } from "node:child_process";
import { endWithUs } from ${JSON.stringify(join(root, "examples/workerd/end-with-us.ts"))};
const child = spawn("sleep", ["60"], { stdio: "ignore" });
endWithUs(child);
process.on("SIGTERM", () => child.kill("SIGTERM"));
console.log(child.pid);
`;

async function startParent() {
  const args = ["--input-type=module", "-e", parent];
  const example = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(createInterface({ input: example.stdout }), "line")) as [string];
  return { example, child: Number(line) };
}

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("a worker of the example does not outlive it, whose state it holds, after kill -9", async () => {
  const started = await startParent();
  expect(lives(started.child)).toBe(true);
  started.example.kill("SIGKILL");
  await vi.waitFor(() => expect(lives(started.child)).toBe(false), { timeout: 5_000 });
});

test("what sees to that keeps the example from nothing: it ends when its worker has ended", async () => {
  const started = await startParent();
  started.example.kill("SIGTERM");
  const [code] = await once(started.example, "exit");
  expect(code).toBe(0);
}, 10_000);
