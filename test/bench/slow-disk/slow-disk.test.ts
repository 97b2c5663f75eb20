import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { buildSlowDisk } from "./slow-disk.ts";

it("says so where there is no C compiler", () => {
  const cache = mkdtempSync(join(tmpdir(), "sluice-slow-disk-"));
  try {
    expect(() => buildSlowDisk({ cache, compiler: "no-such-cc" })).toThrow(
      "--fsync: there is no C compiler no-such-cc; install one, or name it in CC",
    );
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
});
