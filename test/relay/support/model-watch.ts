import type { KubeObject } from "../../../functions/kube/resource.ts";
import { createReferences } from "../../../infra/relay/map/references.ts";
import { planWatches } from "../../../infra/relay/plan/plan.ts";
import { createStore } from "../../../infra/relay/store/store.ts";
import {
  initialWatch,
  stepWatch,
  type WatchEffect,
  type WatchInput,
  type WatchState,
} from "../../../infra/relay/watch/watch.ts";
import { ModelServer } from "./model-server.ts";
import { documents, manifestOf, relationOf } from "./objects.ts";

type Task = Extract<WatchEffect, { do: "list" | "probe" | "watch" | "wait" }>;

/** The watch machine and its store against a model of the API server: whatever is under way is answered step by step. */
export class ModelWatch {
  readonly server = new ModelServer();
  /** By controller and name, when a key was last triggered: what the relay had seen, and what a run would have read. */
  readonly triggered = new Map<string, { seen: KubeObject | undefined; read: KubeObject | undefined }>();
  readonly store;
  task: Task | undefined;
  state: WatchState = initialWatch;
  triggers = 0;
  private readonly streams: boolean;
  private nowMs = 0;
  private open = false;
  private sentTo = 0;
  /** What an open streaming list has yet to send: objects of its snapshot, then what happened up to its end. */
  private initial: { objects: KubeObject[]; endsAt: number | undefined } | undefined;
  /** What the relay is being shown of an object. */
  private shown: (name: string) => KubeObject | undefined = () => undefined;

  /** @param streams whether the server offers streaming lists. */
  constructor(streams: boolean) {
    this.streams = streams;
    const watch = { resource: documents };
    const [plan] = planWatches(
      manifestOf({
        any: [relationOf({ watch, predicate: "resourceVersion" })],
        generation: [relationOf({ watch, predicate: "generation" })],
      }),
    );
    this.store = createStore(plan!, createReferences(), (hits) => {
      for (const { key } of hits) {
        const at = { seen: this.shown(key.name), read: this.server.objects.get(key.name) };
        this.triggered.set(`${key.controller}/${key.name}`, at);
        this.triggers++;
      }
    });
  }

  feed(input: WatchInput): void {
    const [state, effects] = stepWatch(this.state, input, { nowMs: this.nowMs, random: 0.5 });
    this.state = state;
    const tasks = effects.filter((effect): effect is Task => ["list", "probe", "watch", "wait"].includes(effect.do));
    if (tasks.length > 1) throw new Error(`${input.is} began ${tasks.length} things at once`);
    for (const effect of effects) {
      this.shown = () => undefined;
      if (effect.do === "take") {
        this.shown = (name) => effect.items.find(({ metadata }) => metadata.name === name);
        this.store.take(effect.items, effect.list, effect.all);
      }
      if (effect.do === "sweep") this.store.sweep(effect.list);
      if (effect.do === "observe") {
        this.shown = () => (effect.type === "DELETED" ? undefined : effect.object);
        this.store.observe(effect.type, effect.object);
      }
    }
    if (tasks[0]) {
      this.task = tasks[0];
      this.open = false;
      this.initial = undefined;
      if (tasks[0].do === "watch" && tasks[0].from !== undefined) this.sentTo = Number(tasks[0].from);
    }
  }

  /** Answers what is under way as the server would. Returns whether there was anything to answer. */
  serve(): boolean {
    const { task, server } = this;
    if (!task) return this.fed({ is: "start" });
    if (task.do === "wait") {
      this.nowMs += task.ms;
      return this.fed({ is: "waited" });
    }
    if (task.do === "probe") return this.fed({ is: "version", resourceVersion: String(server.version) });
    if (task.do === "list") {
      const page = server.list(task.continue);
      return this.fed(page ? { is: "page", ...page } : { is: "failed", status: 410, message: "expired" });
    }
    if (task.from === undefined && !this.open) return this.openList();
    if (this.initial) return this.serveInitial(this.initial);
    const entry = server.after(this.sentTo);
    if (!this.open) {
      if (entry === "expired") return this.fed({ is: "failed", status: 410, message: "expired" });
      this.open = true;
      return this.fed({ is: "opened" });
    }
    if (entry === "expired") return this.fed({ is: "error", code: 410, message: "expired" });
    if (!entry) return false;
    this.sentTo = entry.version;
    return this.fed({ is: "event", type: entry.type, object: entry.object });
  }

  private openList(): boolean {
    if (!this.streams) return this.fed({ is: "failed", status: 422, message: "forbidden" });
    this.open = true;
    this.sentTo = this.server.version;
    this.initial = { objects: [...this.server.objects.values()], endsAt: undefined };
    return this.fed({ is: "opened" });
  }

  /** One step of a streaming list. Its end is at the server's version as of when the snapshot had been sent. */
  private serveInitial(initial: NonNullable<ModelWatch["initial"]>): boolean {
    const object = initial.objects.shift();
    if (object) return this.fed({ is: "event", type: "ADDED", object });
    initial.endsAt ??= this.server.version;
    const entry = this.server.after(this.sentTo);
    if (entry === "expired") return this.fed({ is: "error", code: 410, message: "expired" });
    if (entry && entry.version <= initial.endsAt) {
      this.sentTo = entry.version;
      return this.fed({ is: "event", type: entry.type, object: entry.object });
    }
    this.initial = undefined;
    this.sentTo = initial.endsAt;
    return this.fed({ is: "bookmark", resourceVersion: String(initial.endsAt), endsList: true });
  }

  /** An event that was sent before comes again, of an object that is still known: no server does that. */
  replay(): void {
    const entry = this.server.after(Math.max(this.sentTo - 3, 0));
    if (!this.open || this.initial || !entry || entry === "expired" || entry.version > this.sentTo) return;
    const id = `default/${entry.object.metadata.name}`;
    if (new Map(this.store.entries()).has(id)) this.feed({ is: "event", type: entry.type, object: entry.object });
  }

  bookmark(): void {
    if (
      this.open &&
      !this.initial &&
      this.server.after(this.sentTo) === undefined &&
      this.sentTo <= this.server.version
    ) {
      this.sentTo = this.server.version;
      this.feed({ is: "bookmark", resourceVersion: String(this.server.version) });
    }
  }

  fail(status: number | undefined): void {
    if (this.open) this.feed(status === undefined ? { is: "closed" } : { is: "error", code: status, message: "no" });
    else this.feed({ is: "failed", status, message: "no" });
  }

  /** The stream brings nothing for the idle limit. */
  silence(): void {
    this.nowMs += 180_000;
    if (this.task?.do === "watch") this.feed({ is: "silent" });
  }

  deadline(): void {
    this.nowMs += 300_000;
    if (this.task?.do === "watch") this.feed({ is: "deadline" });
  }

  pass(ms: number): void {
    this.nowMs += ms;
  }

  /** All faults are over: serves until nothing is left to be told, through one silence. */
  drain(): void {
    for (let round = 0; round < 2; round++) {
      let steps = 0;
      while (this.serve()) if (++steps > 1_000) throw new Error("the watch does not come to rest");
      if (round === 0) this.silence();
    }
  }

  private fed(input: WatchInput): true {
    this.feed(input);
    return true;
  }
}
