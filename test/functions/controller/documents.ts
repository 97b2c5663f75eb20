import * as z from "zod";
import { awaitChange } from "../../../functions/controller/action.ts";
import type { Controller, ControllerOptions } from "../../../functions/controller/controller.ts";
import { defineController } from "../../../functions/controller/define-controller.ts";
import { customResource } from "../../../functions/kube/custom-resource.ts";
import type { Infer } from "../../../functions/kube/resource.ts";

export const Document = customResource({
  group: "example.com",
  version: "v1",
  kind: "Document",
  plural: "documents",
  scope: "Namespaced",
  spec: z.object({ title: z.string().min(1), pages: z.int().default(1), secretName: z.string().optional() }),
  status: z.object({ phase: z.string() }).partial(),
});
export type Document = Infer<typeof Document>;

export const FINALIZER = "example.com/cleanup";

type Options = ControllerOptions<unknown, object, Document>;

/** A controller of Documents that does nothing but what a test gives it to do. */
export function documents(options: Partial<Options> = {}): Controller<unknown, object, Document> {
  return defineController()({
    name: "documents",
    for: Document,
    reconcile: () => awaitChange(),
    ...options,
  } as Options);
}
