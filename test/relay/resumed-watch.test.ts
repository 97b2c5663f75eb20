import { resumedWatch, type WatchState } from "../../infra/relay/watch/watch.ts";
import { a, failed, stream, table, wait, watchFrom } from "./support/watch-table.ts";

const resumed = resumedWatch("5", true);
const probing: WatchState = { ...resumed, task: "probe" };
const opening: WatchState = { ...resumed, task: "watch", suspect: false };
const listing: WatchState = { ...resumedWatch("5", false), task: "list", list: 1 };

table("R7 a watch that goes on where another process stopped", [
  ["R14 asks for the server's version first", resumed, { is: "start" }, { task: "probe" }, [{ do: "probe" }]],
  [
    "and watches from its cursor",
    probing,
    { is: "version", resourceVersion: "9" },
    { task: "watch", cursor: "5", list: 0 },
    [watchFrom("5")],
  ],
  [
    "R14 a server below the cursor is listed as it is",
    probing,
    { is: "version", resourceVersion: "4" },
    { task: "watch", phase: "Empty", distrust: true },
    [stream],
  ],
  [
    "was attempted once its stream is open",
    opening,
    { is: "opened" },
    { phase: "Watching", attempted: true },
    [{ do: "attempted" }],
  ],
  [
    "or failed",
    opening,
    failed(403),
    { task: "wait", phase: "InitListed", attempted: true },
    [{ do: "attempted" }, wait(800)],
  ],
  [
    "lists at once where the cursor is gone",
    opening,
    failed(410),
    { task: "watch", phase: "Empty", distrust: false },
    [{ do: "attempted" }, stream],
  ],
  [
    "lists where the last list was not complete",
    resumedWatch("5", false),
    { is: "start" },
    { task: "watch", phase: "Empty", cursor: "5" },
    [stream],
  ],
  [
    "lists where it never was anywhere",
    resumedWatch(undefined, false),
    { is: "start" },
    { task: "watch", phase: "Empty" },
    [stream],
  ],
  [
    "R14 and takes a list below its cursor as it is",
    listing,
    { is: "page", items: [a], resourceVersion: "4" },
    { phase: "InitListed", cursor: "4", attempted: true },
    [{ do: "take", items: [a], list: 1, all: true }, { do: "sweep", list: 1 }, { do: "attempted" }, watchFrom("4")],
  ],
]);
