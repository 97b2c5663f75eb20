import { createKube, type KubeOptions } from "../../../functions/kube/client.ts";
import type { Kube } from "../../../functions/kube/kube.ts";
import { resourceRegistry } from "../../../functions/kube/registry.ts";
import type { KubeTransport } from "../../../functions/ports/index.ts";
import { ConfigMap, Document, Namespace, Secret } from "./objects.ts";

export type Sent = { method: string; path: string; type?: string | undefined; body?: unknown };

/** What the API server answers: an object with 200, or a Response of its own. */
export type Answer = object | Response;

export type ScriptedTransport = KubeTransport & { sent: Sent[] };

/** A transport that records what is sent and gives these answers in turn; a request too many fails. */
export function scripted(...answers: (Answer | ((sent: Sent) => Answer))[]): ScriptedTransport {
  const sent: Sent[] = [];
  return {
    sent,
    async fetch(path, init = {}) {
      const request: Sent = { method: init.method ?? "GET", path };
      if (init.headers?.["content-type"] !== undefined) request.type = init.headers["content-type"];
      if (init.body !== undefined) request.body = JSON.parse(init.body);
      sent.push(request);
      const next = answers.shift();
      if (next === undefined) throw new Error(`nobody expected ${request.method} ${path}`);
      const answer = typeof next === "function" && !(next instanceof Response) ? next(request) : next;
      return answer instanceof Response ? answer : Response.json(answer);
    },
  };
}

/** The client under test over a transport: the field manager is `documents`. */
export function kubeOver(transport: KubeTransport, options: Partial<KubeOptions> = {}): Kube {
  const resources = resourceRegistry([Document, ConfigMap, Secret, Namespace]);
  return createKube({ transport, resources, fieldManager: "documents", ...options });
}

/** A `v1` Status as the API server answers it. */
export function status(code: number, reason: string, rest: { message?: string; details?: object } = {}): Response {
  const body = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", reason, code, ...rest };
  return Response.json(body, { status: code });
}

export const absent = (name: string, kind: string, group?: string): Response =>
  status(404, "NotFound", {
    message: `${kind} "${name}" not found`,
    details: { name, kind, ...(group && { group }) },
  });

/** What an apply answers where another manager has set a field. */
export const dispute = (): Response =>
  status(409, "Conflict", {
    message: 'Apply failed with 1 conflict: conflict with "kubectl" using v1: .data.content',
    details: {
      causes: [{ reason: "FieldManagerConflict", message: 'conflict with "kubectl" using v1', field: ".data.content" }],
    },
  });

/** What a write answers whose resourceVersion is not the current one. */
export const outdated = (): Response =>
  status(409, "Conflict", { message: "the object has been modified", details: { name: "a", kind: "configmaps" } });

/** What a JSON patch answers where a test fails or a path is not there. */
export const unpatchable = (): Response =>
  status(422, "Invalid", {
    message: "the server rejected our request due to an error in our request",
    details: {},
  });

/** All objects of a list, for `for await` stands in no expression. */
export async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const objects: T[] = [];
  for await (const object of list) objects.push(object);
  return objects;
}
