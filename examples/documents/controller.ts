import { type Controller, customResource, type Draft, defineController, type Infer, requeueAfter } from "sluice";
import { ConfigMap } from "sluice/kinds";
import * as z from "zod";

export const Document = customResource({
  group: "example.com",
  version: "v1",
  kind: "Document",
  plural: "documents",
  scope: "Namespaced",
  spec: z.object({ title: z.string().min(1), content: z.string() }),
  status: z.object({ phase: z.string(), observedGeneration: z.int() }).partial(),
});
export type Document = Infer<typeof Document>;

/** Told of every run, and of every one that fails. */
export type Reporter = { ran(): void; failed(): void };

export function documentsController(options: {
  ownWrites: "ignore" | "trigger";
  concurrency: number;
  reporter: Reporter;
}): Controller {
  const { ownWrites, concurrency, reporter } = options;
  return defineController()({
    name: "documents",
    for: Document,
    owns: [{ resource: ConfigMap, ownWrites }],
    concurrency,
    async reconcile(doc, { kube }) {
      reporter.ran();
      if (doc.spec.title === "fail") {
        reporter.failed();
        throw new Error("title is fail");
      }
      await kube.apply(configMapFor(doc), { owner: doc });
      await kube.patchStatus(doc, { phase: "Ready", observedGeneration: doc.metadata.generation });
      return requeueAfter("5m");
    },
    finalizer: "example.com/cleanup",
    cleanup() {
      reporter.ran();
    },
  });
}

function configMapFor(doc: Document): Draft<ConfigMap> {
  const { name, namespace } = doc.metadata;
  const { title, content } = doc.spec;
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data: { title, content } };
}
