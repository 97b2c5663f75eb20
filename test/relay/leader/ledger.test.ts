import { expect, it } from "vitest";
import { createLedger } from "../../../infra/relay/leader/ledger.ts";

const cursors = (of: Record<string, string>) => new Map(Object.entries(of));

it.each<[string, [watch: string, version: string][], Record<string, string>, boolean]>([
  ["seen before the cursor", [["w", "9"]], { w: "10" }, true],
  ["seen at the cursor", [["w", "10"]], { w: "10" }, true],
  ["seen after the cursor", [["w", "11"]], { w: "10" }, false],
  [
    "seen before and after it",
    [
      ["w", "9"],
      ["w", "11"],
    ],
    { w: "10" },
    false,
  ],
  [
    "told late of an older version",
    [
      ["w", "11"],
      ["w", "9"],
    ],
    { w: "10" },
    false,
  ],
  [
    "seen by two watches, both covered",
    [
      ["w", "9"],
      ["v", "19"],
    ],
    { w: "10", v: "20" },
    true,
  ],
  [
    "seen by two watches, one covered",
    [
      ["w", "9"],
      ["v", "21"],
    ],
    { w: "10", v: "20" },
    false,
  ],
  ["seen by a watch without a cursor", [["w", "9"]], {}, false],
  ["of an unknown time", [["w", ""]], { w: "10" }, false],
  [
    "of an unknown time, then of a known one",
    [
      ["w", ""],
      ["w", "9"],
    ],
    { w: "10" },
    false,
  ],
  ["of a version that is no number", [["w", "x1"]], { w: "x2" }, false],
])("R10 a key that was %s", (_, seen, at, covered) => {
  const ledger = createLedger();
  for (const [watch, version] of seen) ledger.saw("key", watch, version);
  expect(ledger.covered(cursors(at))).toEqual(covered ? ["key"] : []);
});

it("R10 what waits when the lead is lost is dealt with by whoever has seen all that was seen here", () => {
  const ledger = createLedger();
  ledger.hold(["key"], cursors({ w: "10", v: "20" }));
  expect(ledger.covered(cursors({ w: "10", v: "19" }))).toEqual([]);
  expect(ledger.covered(cursors({ w: "10", v: "20" }))).toEqual(["key"]);
  ledger.saw("key", "w", "12");
  expect(ledger.covered(cursors({ w: "11", v: "20" }))).toEqual([]);
  expect(ledger.covered(cursors({ w: "12", v: "20" }))).toEqual(["key"]);
});
