/** A Worker for as many clusters as it is told of: tasks that look again after 5 s. */
import { customResource, defineController, requeueAfter } from "sluice";
import { type Bindings, createWorker } from "sluice/cloudflare";
import * as z from "zod";

export { SchedulerObject } from "sluice/cloudflare";

type Env = Bindings & { GATEWAY_URL: string; SLUICE_SECRET: string; CLUSTERS: string };

const Task = customResource({
  ...{ group: "test.sluice.dev", version: "v1", kind: "Task", plural: "tasks", scope: "Namespaced" },
  spec: z.object({}),
});

export default createWorker<Env>({
  controllers: [
    defineController<Env>()({
      name: "tasks",
      for: Task,
      concurrency: 16,
      timeout: "5s",
      reconcile: () => requeueAfter("5s"),
    }),
  ],
  clusters: (env) =>
    env.CLUSTERS.split(",").map((name) => ({
      ...{ name, gateway: `${env.GATEWAY_URL}/${name}`, secrets: [env.SLUICE_SECRET] },
    })),
  logLevel: "error",
});
