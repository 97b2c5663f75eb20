import { API_VERSION, sign, type TriggersAnswer, type TriggersRequest } from "sluice/contract";
import { CONTROLLER } from "./controller.ts";
import { CLUSTER } from "./functions.ts";

/** A trigger that reached the functions, and what they answered. */
export type Delivery = {
  name: string;
  /** When it was answered, by the clock of `performance.now()`. */
  at: number;
  /** What changed, in the relay's words: `Site ns/blog MODIFIED`. */
  cause: string;
  status: number;
  /** Answered with 202 and not rejected: from then on it must not be lost. */
  accepted: boolean;
};

type Send = { method: string; headers: Record<string, string>; body?: Uint8Array<ArrayBuffer>; signal?: AbortSignal };

/** The way to the functions' ingress, for whoever triggers. */
export interface Door {
  /** All that the relay delivered. */
  readonly deliveries: readonly Delivery[];
  /** For the relay: sends, and keeps what was delivered. */
  fetch(path: string, init: Send): Promise<Response>;
  /** Triggers these Sites as a relay would, without any change. */
  triggerAll(names: readonly string[]): Promise<void>;
}

/** @param url where the functions are just now. */
export function createDoor(options: { url: () => string; secret: string; namespace: string }): Door {
  const { url, secret, namespace } = options;
  const deliveries: Delivery[] = [];

  // Followed, a redirect would carry a signature to somebody else.
  const send = (path: string, init: Send) => fetch(url() + path, { ...init, redirect: "error" });

  return {
    deliveries,
    async fetch(path, init) {
      const response = await send(path, init);
      if (path !== "/triggers") return response;
      const { triggers } = JSON.parse(new TextDecoder().decode(init.body)) as TriggersRequest;
      const rejected = response.ok ? ((await response.clone().json()) as TriggersAnswer).rejected : [];
      for (const [i, { name, cause = "" }] of triggers.entries()) {
        const accepted = response.status === 202 && !rejected.some(({ index }) => index === i);
        deliveries.push({ name, cause, status: response.status, accepted, at: performance.now() });
      }
      return response;
    },
    async triggerAll(names) {
      const request: TriggersRequest = {
        ...{ apiVersion: API_VERSION, cluster: CLUSTER },
        triggers: names.map((name) => ({ controller: CONTROLLER, namespace, name, reason: "bulk", lane: "resync" })),
      };
      const body = new TextEncoder().encode(JSON.stringify(request));
      const signature = await sign([secret], { id: crypto.randomUUID(), now: Date.now(), body });
      const headers = { ...signature, "content-type": "application/json" };
      const response = await send("/triggers", { method: "POST", headers, body });
      if (response.status !== 202) throw new Error(`POST /triggers: ${response.status} ${await response.text()}`);
      await response.body?.cancel();
    },
  };
}
