import { awaitChange, type Controller, customResource, defineController, type Infer, requeueAfter } from "sluice";
import { ConfigMap, NetworkPolicy, Secret } from "sluice/kinds";
import * as z from "zod";

/** A kind with a knob for every path through a controller. */
export const Widget = customResource({
  group: "test.sluice.dev",
  version: "v1",
  kind: "Widget",
  plural: "widgets",
  scope: "Namespaced",
  spec: z.object({
    text: z.string(),
    secretName: z.string().optional(),
    fails: z.boolean().optional(),
    requeueMs: z.int().optional(),
    cleanups: z.int().default(1),
  }),
  status: z.object({ phase: z.string(), text: z.string() }).partial(),
});
export type Widget = Infer<typeof Widget>;

export const FINALIZER = "test.sluice.dev/widgets";

/** What the controllers under test did. */
export type Recorder = {
  runs: { key: string; what: "reconcile" | "cleanup"; at: number; attempt: number; uid: string }[];
  /** Keys that ran twice at once (S2). */
  overlaps: string[];
  running: Set<string>;
};

export const newRecorder = (): Recorder => ({ runs: [], overlaps: [], running: new Set() });

async function recorded<T>(
  recorder: Recorder,
  run: { namespace?: string; name: string; uid: string; what: "reconcile" | "cleanup"; attempt: number },
  work: () => Promise<T>,
): Promise<T> {
  const { uid, what, attempt } = run;
  const key = `${run.namespace}/${run.name}`;
  if (recorder.running.has(key)) recorder.overlaps.push(key);
  recorder.running.add(key);
  recorder.runs.push({ key, what, at: performance.now(), attempt, uid });
  try {
    return await work();
  } finally {
    recorder.running.delete(key);
  }
}

/** The controllers under test. */
export const controllersOf = (recorder: Recorder): Controller[] => [
  widgetsController(recorder),
  fightersController(recorder),
];

/** A ConfigMap a Widget, a Secret that it may wait for, a finalizer, and failures on demand. */
export function widgetsController(recorder: Recorder): Controller {
  return defineController()({
    name: "widgets",
    for: Widget,
    owns: [{ resource: ConfigMap, ownWrites: "ignore" }],
    watches: [{ resource: Secret, namedBy: ".spec.secretName" }],
    backoff: { base: "200ms", max: "2s", jitter: 0 },
    reconcile: (widget, { kube, attempt }) =>
      recorded(recorder, { ...widget.metadata, what: "reconcile", attempt }, async () => {
        const { name, namespace } = widget.metadata;
        const { text, secretName, fails, requeueMs } = widget.spec;
        if (fails) throw new Error("fails as its spec says");
        if (secretName !== undefined && !(await kube.find(Secret, { namespace, name: secretName }))) {
          await kube.patchStatus(widget, { phase: "Waiting" });
          return awaitChange();
        }
        await kube.apply<ConfigMap>(
          { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data: { text } },
          { owner: widget },
        );
        await kube.patchStatus(widget, { phase: "Ready", text });
        return requeueMs === undefined ? awaitChange() : requeueAfter({ milliseconds: requeueMs });
      }),
    finalizer: FINALIZER,
    cleanup: (widget, { attempt }) =>
      recorded(recorder, { ...widget.metadata, what: "cleanup", attempt }, async () => {
        const done = recorder.runs.filter(({ uid, what }) => uid === widget.metadata.uid && what === "cleanup").length;
        return done < widget.spec.cleanups ? requeueAfter("200ms") : undefined;
      }),
  });
}

/** Changes its own child at every run: an apply of an empty list is never a no-op (S19). */
function fightersController(recorder: Recorder): Controller {
  return defineController()({
    name: "fighters",
    for: ConfigMap,
    selector: { matchLabels: { "test.sluice.dev/fighter": "yes" } },
    owns: [{ resource: NetworkPolicy }],
    reconcile: (map, { kube, attempt }) =>
      recorded(recorder, { ...map.metadata, what: "reconcile", attempt }, async () => {
        const { name, namespace } = map.metadata;
        await kube.apply<NetworkPolicy>(
          {
            apiVersion: "networking.k8s.io/v1",
            kind: "NetworkPolicy",
            metadata: { name, namespace },
            spec: { podSelector: {}, ingress: [] },
          },
          { owner: map },
        );
        return awaitChange();
      }),
  });
}
