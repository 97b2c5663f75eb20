import { CONTROLLER, Site } from "./controller.ts";
import type { Loose, Run } from "./run.ts";
import type { Exchange } from "./tap.ts";

/** What the lab reads of a line of the functions' log. */
export type LogLine = {
  message: string;
  /** `cluster/controller/namespace/name` */
  key?: string;
  controller?: string;
  outcome?: Run["outcome"];
  reasons?: string[];
  error?: string;
  attempt?: number;
  action?: object;
};

/** Everything that ran. */
export interface Journal {
  /** In the order in which they ended. */
  readonly runs: readonly Run[];
  /** The runs of one Site from the nth on. */
  of(name: string, from?: number): Run[];
  exchange(exchange: Exchange): void;
  line(line: LogLine): void;
  /** The functions were killed: what they had begun ends nowhere. */
  abandon(): void;
}

/** With its last finalizer a deleted object goes, too. */
function isGone({ metadata }: Loose): boolean {
  return metadata.deletionTimestamp !== undefined && !metadata.finalizers?.length;
}

type Open = Pick<Run, "name" | "startedAt" | "writes"> & Partial<Run> & { refused: boolean };

export function createJournal(onRun: (run: Run) => void): Journal {
  const runs: Run[] = [];
  /** Begun, oldest first: the log may tell of an end after the API server saw the next run of the Site begin. */
  let open: Open[] = [];

  const newest = (fits: (run: Open) => boolean) => open.findLast(fits);

  function onRead(exchange: Exchange, name: string): void {
    const run = newest((each) => each.name === name);
    // A run looks again where the API server refused its write: else every read of a Site begins one.
    if (run?.refused) run.refused = false;
    else
      open.push({
        ...{ name, startedAt: performance.now(), writes: [], refused: false },
        ...(exchange.status === 200 && { observed: exchange.answer! }),
      });
  }

  function onWrite({ path, body, status, answer, before }: Exchange, kind: string, name: string, part: string): void {
    const run = newest((each) => each.name === name);
    if (!run) return;
    run.refused = status >= 400;
    if (kind === "ConfigMap") run.compared = { wanted: (body as Loose).data ?? {}, there: before?.data };
    run.writes.push({
      what: `${kind} ${name}${path.endsWith("/status") ? ": status" : part}`,
      status,
      ...(before && { before: before.metadata.resourceVersion }),
      ...(status < 300 && !isGone(answer!) && { after: answer!.metadata.resourceVersion }),
    });
  }

  return {
    runs,
    of: (name, from = 0) => runs.filter((run) => run.name === name).slice(from),
    exchange(exchange) {
      const [, plural = "", name = ""] = /\/namespaces\/[^/]+\/([^/]+)\/([^/]+)/.exec(exchange.path) ?? [];
      const reads = exchange.method === "GET";
      if (plural === Site.plural && reads) onRead(exchange, name);
      else if (plural === Site.plural) onWrite(exchange, "Site", name, ": finalizer");
      else if (plural === "configmaps" && !reads) onWrite(exchange, "ConfigMap", name, "");
      else if (plural === "secrets") {
        const run = newest(({ observed }) => observed?.spec?.secretName === name);
        if (run) run.secret = { name, found: exchange.status === 200 };
      }
    },
    line({ message, controller, key = "", outcome, reasons = [], error, attempt, action }) {
      if (controller !== CONTROLLER) return;
      const at = open.findIndex(({ name }) => key.endsWith(`/${name}`));
      const begun = open[at];
      if (!begun) return;
      if (message === "answer" && action) begun.action = action;
      if (message !== "run completed" && message !== "run failed") return;
      open.splice(at, 1);
      const { refused, ...rest } = begun;
      const failure = error === undefined ? undefined : { error, attempt: attempt ?? 0 };
      const ended = { ...rest, reasons, outcome: outcome ?? "error", ...failure };
      // A run that ends without asking the controller's code waits for a change.
      const run: Run =
        ended.outcome === "success" ? { ...ended, action: ended.action ?? { awaitChange: true } } : ended;
      runs.push(run);
      onRun(run);
    },
    abandon() {
      open = [];
    },
  };
}
