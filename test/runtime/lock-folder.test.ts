import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, expect, test } from "vitest";
import { lockFolder } from "../../examples/workerd/lock-folder.ts";
import { root } from "../repository/source-file.ts";

const parent = mkdtempSync(join(tmpdir(), "sluice-lock-"));
afterAll(() => rmSync(parent, { recursive: true, force: true }));

const holder = (folder: string) => `
import { lockFolder } from ${JSON.stringify(join(root, "examples/workerd/lock-folder.ts"))};
const lock = lockFolder(${JSON.stringify(folder)});
console.log("locked");
setInterval(() => lock, 60_000);
`;

/** A process that holds the lock. */
async function hold(folder: string) {
  const process_ = spawn(process.execPath, ["--input-type=module", "-e", holder(folder)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(createInterface({ input: process_.stdout }), "line");
  return process_;
}

test("S14 a folder that another process works in is refused by name, until that has ended, by kill -9 too", async () => {
  const folder = join(parent, "made", "for", "it");
  const other = await hold(folder);
  expect(() => lockFolder(folder)).toThrow(`STATE_DIR ${folder}: it is in use by another process`);
  other.kill("SIGKILL");
  await once(other, "exit");
  lockFolder(folder).release();
});

test("S14 it may be locked again once it was released", () => {
  const folder = join(parent, "released");
  lockFolder(folder).release();
  lockFolder(folder).release();
});

test("S14 a folder that cannot be made is named", () => {
  const file = join(parent, "file");
  writeFileSync(file, "");
  expect(() => lockFolder(file)).toThrow(`STATE_DIR ${file}: `);
});
