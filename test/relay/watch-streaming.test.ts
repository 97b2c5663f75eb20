import { describe, expect, it } from "vitest";
import { initialWatch, stepWatch } from "../../infra/relay/watch/watch.ts";
import { objectOf } from "./support/objects.ts";
import {
  a,
  asking,
  at,
  failed,
  listing,
  opening,
  restreaming,
  stream,
  streaming,
  table,
  wait,
  watching,
} from "./support/watch-table.ts";

const end = (resourceVersion: string) => ({ is: "bookmark", resourceVersion, endsList: true }) as const;
const { relistsByCause } = initialWatch;

table("R1 Empty, InitialWatch, Watching", [
  ["starts with a streaming list", initialWatch, { is: "start" }, { phase: "Empty", task: "watch", list: 1 }, [stream]],
  ["has begun when the stream opens", asking, { is: "opened" }, { phase: "InitialWatch" }, []],
  [
    "takes an object of the list",
    streaming,
    { is: "event", type: "ADDED", object: a },
    { phase: "InitialWatch", cursor: "7" },
    [{ do: "take", items: [a], list: 1, all: false }],
  ],
  [
    "takes a change before the end for a part of the list",
    streaming,
    { is: "event", type: "MODIFIED", object: objectOf({ name: "a", resourceVersion: "8" }) },
    { cursor: "8" },
    [{ do: "take", items: [objectOf({ name: "a", resourceVersion: "8" })], list: 1, all: false }],
  ],
  [
    "observes a deletion before the end",
    streaming,
    { is: "event", type: "DELETED", object: objectOf({ name: "a", resourceVersion: "8" }) },
    { cursor: "8" },
    [{ do: "observe", type: "DELETED", object: objectOf({ name: "a", resourceVersion: "8" }) }],
  ],
  ["R2 has not ended with any bookmark", streaming, { is: "bookmark", resourceVersion: "9" }, { cursor: "7" }, []],
  [
    "R2 is listed at the bookmark that ends it, and goes on as the watch",
    streaming,
    end("9"),
    { phase: "Watching", task: "watch", cursor: "9", attempted: true, relistsByCause },
    [{ do: "sweep", list: 1 }, { do: "attempted" }],
  ],
  [
    "an empty list is its bookmark alone",
    { ...streaming, cursor: undefined },
    end("9"),
    { phase: "Watching", cursor: "9" },
    [{ do: "sweep", list: 1 }, { do: "attempted" }],
  ],
  [
    "is in order only then",
    { ...restreaming, error: "no" },
    end("11"),
    { error: undefined, cursor: "11" },
    [{ do: "sweep", list: 2 }],
  ],
  ["a watch takes the end of a list for a bookmark", watching, end("9"), { phase: "Watching", cursor: "9" }, []],
]);

describe("R1 streaming lists are asked only where nothing is to be resumed", () => {
  it.each([
    ["closed", { is: "closed" }],
    ["out of time", { is: "deadline" }],
  ] as const)("a stream that is %s goes on from its version", (_, input) => {
    const [, effects] = stepWatch({ ...watching, paged: false }, input, at);
    expect(effects).toEqual([{ do: "watch", from: "5", timeoutSeconds: 270 }]);
  });

  it("an expired version lists anew as a stream", () => {
    const [state, effects] = stepWatch({ ...opening, paged: false }, failed(410), at);
    expect(state).toMatchObject({ phase: "Empty", task: "watch", list: 2, relistsByCause: { expired: 1 } });
    expect(effects).toEqual([stream]);
  });
});

table(
  "R1 a server that refuses streaming lists is asked for pages at once, from then on",
  [400, 403, 405, 406, 422].map((status) => [
    `${status}`,
    asking,
    failed(status),
    { phase: "Empty", task: "list", paged: true, attempted: false, failures: 0, relistsByCause },
    [{ do: "list" }],
  ]),
);

table("R1 what asks for patience is asked again as a stream", [
  ...[undefined, 401, 404, 408, 500, 503, 504].map((status): Parameters<typeof table>[1][number] => [
    `${status}`,
    { ...asking, attempted: true },
    failed(status),
    { phase: "Empty", task: "wait", paged: false, failures: 1, error: "no" },
    [wait(800)],
  ]),
  ["429 as long as it says", { ...asking, attempted: true }, failed(429, 7_000), { paged: false }, [wait(7_000)]],
  [
    "after its wait",
    { ...restreaming, phase: "Empty", task: "wait", relistCause: "unfinished" },
    { is: "waited" },
    { task: "watch", list: 3, relistsByCause: { ...relistsByCause, unfinished: 1 }, relistCause: undefined },
    [stream],
  ],
]);

table("R2 a streaming list that comes short of its end begins anew", [
  [
    "closed",
    restreaming,
    { is: "closed" },
    { phase: "Empty", task: "wait", relistCause: "unfinished", unended: 1, paged: false },
    [wait(800)],
  ],
  ["out of time", restreaming, { is: "deadline" }, { phase: "Empty", unended: 1, paged: false }, [wait(800)]],
  [
    "an error event",
    restreaming,
    { is: "error", code: 500, message: "no" },
    { phase: "Empty", task: "wait", error: "no" },
    [wait(800)],
  ],
  [
    "an unreadable line",
    restreaming,
    { is: "error", code: 0, message: "no" },
    { phase: "Empty", task: "wait" },
    [wait(800)],
  ],
  [
    "410 as an event",
    restreaming,
    { is: "error", code: 410, message: "too old" },
    { phase: "Empty", task: "watch", list: 3, relistsByCause: { ...relistsByCause, expired: 1 } },
    [stream],
  ],
  [
    "a second time in pages",
    { ...restreaming, unended: 1 },
    { is: "closed" },
    { phase: "Empty", paged: true },
    [wait(800)],
  ],
  [
    "in pages at once where nothing comes: it was taken for a watch",
    restreaming,
    { is: "silent" },
    { phase: "Empty", paged: true },
    [wait(800)],
  ],
  [
    "not in pages after one that ended",
    { ...restreaming, unended: 1 },
    end("11"),
    { unended: 0 },
    [{ do: "sweep", list: 2 }],
  ],
  ["the first failure is told", streaming, { is: "closed" }, { attempted: true }, [{ do: "attempted" }, wait(800)]],
]);

table("R14 a streaming list of a server that went back in time", [
  [
    "is known by its end, and taken again as it is",
    restreaming,
    end("9"),
    { phase: "Empty", task: "watch", distrust: true, list: 3, relistsByCause: { ...relistsByCause, restored: 1 } },
    [stream],
  ],
  [
    "takes every object for changed",
    { ...restreaming, distrust: true },
    { is: "event", type: "ADDED", object: a },
    {},
    [{ do: "take", items: [a], list: 2, all: true }],
  ],
  [
    "is trusted after its end, whatever its version",
    { ...restreaming, distrust: true },
    end("9"),
    { phase: "Watching", cursor: "9", distrust: false },
    [{ do: "sweep", list: 2 }],
  ],
]);

table("R1 a kind that cannot be watched", [
  [
    "is listed every minute, and shown",
    opening,
    failed(405),
    { phase: "Empty", task: "wait", relistCause: "unwatchable", error: expect.stringContaining("every 60 s") },
    [wait(60_000)],
  ],
  [
    "counts these lists apart",
    { ...listing, phase: "Empty", task: "wait", relistCause: "unwatchable" },
    { is: "waited" },
    { task: "list", relistsByCause: { ...relistsByCause, unwatchable: 1 } },
    [{ do: "list" }],
  ],
]);
