import {
  awaitChange,
  type Controller,
  customResource,
  type Draft,
  type Duration,
  defineController,
  type Infer,
  requeueAfter,
} from "sluice";
import { ConfigMap, Secret } from "sluice/kinds";
import * as z from "zod";
import type { Web } from "./web.ts";

/** A page: its text goes into a ConfigMap of the same name, and to a web server outside the cluster. */
export const Site = customResource({
  group: "lab.sluice.dev",
  version: "v1",
  kind: "Site",
  plural: "sites",
  scope: "Namespaced",
  spec: z.object({ text: z.string(), secretName: z.string().optional() }),
  status: z.object({ phase: z.string(), observedGeneration: z.int() }).partial(),
  printColumns: [{ name: "Phase", type: "string", jsonPath: ".status.phase" }],
});
export type Site = Infer<typeof Site>;

export const CONTROLLER = "sites";

/** The whole of what a user writes. */
export function sitesController(options: {
  namespace: string;
  debounce?: Duration;
}): Controller<unknown, { web: Web }, Site> {
  return defineController<unknown, { web: Web }>()({
    name: CONTROLLER,
    for: Site,
    namespaces: [options.namespace],
    owns: [{ resource: ConfigMap, ownWrites: "ignore" }],
    watches: [{ resource: Secret, namedBy: ".spec.secretName" }],
    ...(options.debounce !== undefined && { debounce: options.debounce }),
    async reconcile(site, { kube, web }) {
      const { name, namespace, generation: observedGeneration } = site.metadata;
      const { secretName, text } = site.spec;
      if (secretName && !(await kube.find(Secret, { namespace, name: secretName }))) {
        await kube.patchStatus(site, { phase: "WaitingForSecret", observedGeneration });
        return requeueAfter("10m");
      }
      await kube.apply(configMapFor(site), { owner: site });
      web.publish(name, text);
      await kube.patchStatus(site, { phase: "Ready", observedGeneration });
      return awaitChange();
    },
    finalizer: "lab.sluice.dev/page",
    cleanup(site, { web }) {
      web.takeDown(site.metadata.name);
    },
  });
}

export function configMapFor({ metadata, spec }: Pick<Site, "metadata" | "spec">): Draft<ConfigMap> {
  const { name, namespace } = metadata;
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data: { "index.html": spec.text } };
}
