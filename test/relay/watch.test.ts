import { describe, expect, it } from "vitest";
import { initialWatch, stepWatch, type WatchInput, type WatchState } from "../../infra/relay/watch/watch.ts";
import {
  a,
  at,
  failed,
  listing,
  nowMs,
  opening,
  paged,
  paging,
  probing,
  relisting,
  table,
  wait,
  waiting,
  watchFrom,
  watching,
} from "./support/watch-table.ts";

table("R1 Empty, InitPage, InitListed, Watching", [
  ["starts with a list", paged, { is: "start" }, { phase: "Empty", task: "list", list: 1 }, [{ do: "list" }]],
  [
    "asks for the next page",
    listing,
    { is: "page", items: [a], resourceVersion: "5", continue: "p2" },
    { phase: "InitPage", pageToken: "p2", cursor: "5" },
    [
      { do: "take", items: [a], list: 1, all: false },
      { do: "list", continue: "p2" },
    ],
  ],
  [
    "R2 is listed at the last page, and watches from the version of the first",
    paging,
    { is: "page", items: [a], resourceVersion: "6" },
    {
      phase: "InitListed",
      task: "watch",
      cursor: "5",
      attempted: true,
      reconnectsByCause: initialWatch.reconnectsByCause,
    },
    [{ do: "take", items: [a], list: 1, all: false }, { do: "sweep", list: 1 }, { do: "attempted" }, watchFrom("5")],
  ],
  [
    "takes an empty continue token for none",
    relisting,
    { is: "page", items: [], resourceVersion: "5", continue: "" },
    { phase: "InitListed", task: "watch", cursor: "5" },
    [{ do: "take", items: [], list: 2, all: false }, { do: "sweep", list: 2 }, watchFrom("5")],
  ],
  ["is watching when the stream opens", opening, { is: "opened" }, { phase: "Watching", error: undefined }, []],
  [
    "observes an event and moves on to its version",
    watching,
    { is: "event", type: "MODIFIED", object: a },
    { cursor: "7" },
    [{ do: "observe", type: "MODIFIED", object: a }],
  ],
  ["moves on with a bookmark", watching, { is: "bookmark", resourceVersion: "9" }, { cursor: "9" }, []],
  [
    "compares versions as numbers",
    { ...watching, cursor: "10" },
    { is: "bookmark", resourceVersion: "9" },
    { cursor: "10" },
    [],
  ],
  [
    "resumes when the stream ends",
    watching,
    { is: "closed" },
    { phase: "InitListed", task: "watch", reconnectsByCause: { ...initialWatch.reconnectsByCause, closed: 1 } },
    [watchFrom("5")],
  ],
  [
    "resumes past the client's deadline",
    watching,
    { is: "deadline" },
    { phase: "InitListed", task: "watch" },
    [watchFrom("5")],
  ],
  [
    "ends a stream that never opened",
    opening,
    { is: "deadline" },
    { phase: "InitListed", task: "watch" },
    [watchFrom("5")],
  ],
]);

table("R1 an expired version lists again", [
  [
    "a 410 as a status",
    opening,
    failed(410),
    { phase: "Empty", task: "list", list: 2, relistsByCause: { ...initialWatch.relistsByCause, expired: 1 } },
    [{ do: "list" }],
  ],
  [
    "a 410 as an ERROR event in a stream",
    watching,
    { is: "error", code: 410, message: "too old" },
    {
      phase: "Empty",
      task: "list",
      list: 2,
      relistsByCause: { ...initialWatch.relistsByCause, expired: 1 },
      error: "too old",
    },
    [{ do: "list" }],
  ],
  [
    "an expired continue token",
    paging,
    failed(410),
    { phase: "Empty", pageToken: undefined, listVersion: undefined, list: 2 },
    [{ do: "attempted" }, { do: "list" }],
  ],
  [
    "but not at once when it comes again",
    { ...opening, failures: 1 },
    failed(410),
    { phase: "Empty", task: "wait", failures: 2 },
    [wait(1_600)],
  ],
  [
    "a wait before a list",
    { ...waiting, phase: "Empty" },
    { is: "waited" },
    { task: "list", list: 2 },
    [{ do: "list" }],
  ],
]);

const inputs: WatchInput[] = [
  { is: "start" },
  { is: "page", items: [], resourceVersion: "1" },
  { is: "version", resourceVersion: "1" },
  { is: "opened" },
  { is: "event", type: "ADDED", object: a },
  { is: "bookmark", resourceVersion: "1" },
  { is: "error", code: 410, message: "no" },
  { is: "closed" },
  { is: "silent" },
  { is: "deadline" },
  failed(500),
  { is: "waited" },
];
const answers: Record<string, [state: WatchState, inputs: string[]]> = {
  none: [initialWatch, ["start"]],
  list: [listing, ["page", "failed"]],
  probe: [probing, ["version", "failed"]],
  watch: [watching, ["opened", "event", "bookmark", "error", "closed", "silent", "deadline", "failed"]],
  wait: [waiting, ["waited"]],
};

describe("R1 what nothing asked for changes nothing", () => {
  const rows = Object.entries(answers).flatMap(([task, [state, expected]]) =>
    inputs.filter(({ is }) => !expected.includes(is)).map((input) => ({ task, is: input.is, input, state })),
  );
  it.each(rows)("$is while the task is $task", ({ input, state }) => {
    expect(stepWatch(state, input, at)).toEqual([state, []]);
  });
});

describe("R1 streams are spread", () => {
  it.each([
    [0, 240],
    [0.999_999, 300],
  ])("random %d asks for %d s", (random, timeoutSeconds) => {
    const [, effects] = stepWatch(watching, { is: "closed" }, { nowMs, random });
    expect(effects).toEqual([{ do: "watch", from: "5", timeoutSeconds }]);
  });
});
