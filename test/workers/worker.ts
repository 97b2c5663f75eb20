import { awaitChange, customResource, defineController, type Infer } from "sluice";
import { type Bindings, createWorker } from "sluice/cloudflare";
import * as z from "zod";
import { broken, runs } from "./runs.ts";

export { SchedulerObject } from "sluice/cloudflare";

/** A Durable Object with nothing but its storage. */
export class Storage {}

export const Task = customResource({
  group: "test.sluice.dev",
  version: "v1",
  kind: "Task",
  plural: "tasks",
  scope: "Namespaced",
  spec: z.object({}),
});
type Task = Infer<typeof Task>;

type Env = Bindings & { SLUICE_SECRET: string };

const tasks = defineController<Env>()({
  name: "tasks",
  for: Task,
  timeout: "10s",
  concurrency: 40,
  backoff: { jitter: 0 },
  async reconcile(task: Task, { attempt }) {
    return (await runs.begin(task.metadata.name, attempt)) ?? awaitChange();
  },
});

export default createWorker<Env>({
  controllers: [tasks],
  clusters: (env) => [{ name: "home", gateway: "http://gateway.test", secrets: [env.SLUICE_SECRET] }],
  context() {
    if (broken.context) throw new Error(broken.context);
    return {};
  },
  logLevel: "warn",
});
