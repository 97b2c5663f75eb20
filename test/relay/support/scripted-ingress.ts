import {
  API_VERSION,
  problemOf,
  type Trigger,
  type TriggersAnswer,
  verify,
} from "../../../functions/contract/index.ts";
import type { Clock } from "../../../functions/ports/index.ts";
import type { IngressFetch, IngressRequest } from "../../../infra/relay/deliver/ingress.ts";

/** `whsec_` and 32 bytes. */
export const secret = `whsec_${btoa("0123456789abcdef0123456789abcdef")}`;

export type Delivery = {
  path: string;
  method: string;
  id: string;
  signal: AbortSignal;
  headers: Headers;
  names: string[];
  triggers: Trigger[];
  accept(over?: Partial<TriggersAnswer>): void;
  /** With the body that only our ingress sends. */
  refuse(status: number, code: string, headers?: Record<string, string>): void;
  answer(response: Response): void;
  break(): void;
};

export type ScriptedIngress = IngressFetch & {
  asked: Delivery[];
  last(): Delivery;
  /** What was asked of `/wake`. It is answered at once, with nothing scheduled, unless `holdWakes` is set. */
  wakes: Delivery[];
  holdWakes: boolean;
  /** What was asked of `/checkpoint`. It is answered at once, as by functions without that route, unless `keep` is set. */
  checkpoints: Delivery[];
  keep?: (delivery: Delivery, body: Uint8Array) => void;
};

/** An ingress that checks signatures, and answers only what a test says. */
export function createScriptedIngress(clock: Clock): ScriptedIngress {
  const asked: Delivery[] = [];
  const wakes: Delivery[] = [];
  const checkpoints: Delivery[] = [];
  return {
    asked,
    wakes,
    checkpoints,
    holdWakes: false,
    last() {
      const delivery = asked.at(-1);
      if (!delivery) throw new Error("nothing was delivered");
      return delivery;
    },
    async fetch(path, init) {
      const body = init.body ?? new Uint8Array();
      const verified = await verify([secret], new Headers(init.headers), { now: clock.now(), body });
      if (!verified.ok) throw new Error(verified.code);
      return new Promise((resolve, reject) => {
        const delivery = deliveryOf(path, init, verified.id, resolve, reject);
        if (path.startsWith("/checkpoint/")) {
          checkpoints.push(delivery);
          return this.keep ? this.keep(delivery, body) : delivery.refuse(404, "not-found");
        }
        (path === "/wake" ? wakes : asked).push(delivery);
        if (path === "/wake" && !this.holdWakes) delivery.accept();
      });
    },
  };
}

function deliveryOf(
  path: string,
  init: IngressRequest,
  id: string,
  resolve: (response: Response) => void,
  reject: (error: unknown) => void,
): Delivery {
  const text = new TextDecoder().decode(init.body);
  const { triggers = [] } = (text === "" ? {} : JSON.parse(text)) as { triggers?: Trigger[] };
  return {
    path,
    method: init.method,
    id,
    signal: init.signal,
    headers: new Headers(init.headers),
    names: triggers.map(({ name }) => name),
    triggers,
    accept: (over = {}) => resolve(Response.json(answerOf(triggers.length, over), { status: 202 })),
    refuse: (status, code, headers = {}) => resolve(Response.json(problemOf(code, code), { status, headers })),
    answer: resolve,
    break: () => reject(new TypeError("fetch failed")),
  };
}

function answerOf(accepted: number, over: Partial<TriggersAnswer>): TriggersAnswer {
  return {
    apiVersion: API_VERSION,
    accepted,
    rejected: [],
    nextWakeInMs: null,
    timer: "platform",
    revision: "r1",
    epoch: "e1",
    ...over,
  };
}
