import { readAnswer } from "../../../functions/kube/answer.ts";
import { ConflictError, NotFoundError } from "../../../functions/kube/errors.ts";
import type { Clock, KubeTransport, Logger } from "../../../functions/ports/index.ts";
import { messageOf } from "../message.ts";
import {
  type ElectionEffect,
  type ElectionInput,
  type ElectionRules,
  initialElection,
  isLeading,
  leadsUntil,
  stepElection,
} from "./election.ts";
import { holderOf, type Lease } from "./lease.ts";

export type ElectorOptions = {
  rules: ElectionRules;
  transport: KubeTransport;
  clock: Clock;
  logger: Logger;
  random: () => number;
  onLead(): void;
  /** It leads no longer, or was told to stop. */
  onFollow(): void;
};

export type LeaderStatus = {
  /** Whether this relay delivers, saves and wakes. */
  leads: boolean;
  /** Who does, as far as was seen. */
  holder?: string;
  /** Why the Lease cannot be read or written just now. */
  error?: string;
};

/** Takes part in an election until it is stopped. */
export interface Elector {
  /** Asks the clock each time: after a pause of the whole process it is right before any timer has fired. */
  leads(): boolean;
  /** Gives the Lease up. Resolves when that was answered, or was not in time. */
  stop(): Promise<void>;
  status(): LeaderStatus;
}

/** Drives the election: requests for its effects, answers and time as its inputs. */
export function startElector(options: ElectorOptions): Elector {
  const { rules, transport, clock, random } = options;
  const { namespace, name } = rules.lease;
  const logger = options.logger.with({ lease: `${namespace}/${name}` });
  const collection = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
  const done = Promise.withResolvers<void>();
  let state = initialElection;
  let cancelWait = (): void => {};
  let cancelTick = (): void => {};

  function feed(input: ElectionInput): void {
    const before = state;
    const at = { nowMs: clock.monotonic(), wallMs: clock.now(), random: random() };
    const [next, effects] = stepElection(state, input, rules, at);
    state = next;
    cancelTick();
    if (state.leads) cancelTick = clock.setTimer(Math.max(0, leadsUntil(state, rules) - at.nowMs), tick);
    if (next.error !== before.error) {
      if (next.error === undefined) logger.info("the lease can be reached again");
      else logger.warn("the lease cannot be reached, trying again", { error: next.error });
    }
    for (const effect of effects) perform(effect);
  }

  const tick = (): void => feed({ is: "tick" });

  function perform(effect: ElectionEffect): void {
    switch (effect.do) {
      case "get":
        ask("GET", (lease) => ({ is: "found", lease }));
        return;
      case "write":
        ask(
          effect.lease.metadata.resourceVersion ? "PUT" : "POST",
          (lease) => ({ is: "written", lease }),
          effect.lease,
        );
        return;
      case "wait":
        cancelWait = clock.setTimer(effect.ms, () => feed({ is: "waited" }));
        return;
      case "lead":
        logger.info("this relay leads", { identity: rules.identity });
        options.onLead();
        return;
      case "follow":
        logger.info("this relay leads no longer", { identity: rules.identity });
        options.onFollow();
        return;
      case "done":
        cancelWait();
        done.resolve();
        return;
    }
  }

  function ask(method: string, read: (lease: Lease) => ElectionInput, body?: Lease): void {
    const controller = new AbortController();
    const path = method === "POST" ? collection : `${collection}/${name}`;
    const answered = (input: ElectionInput): void => {
      if (controller.signal.aborted) return;
      cancel();
      controller.abort();
      feed(input);
    };
    // Half the deadline, as controller-runtime has it: a lost answer leaves time for another try.
    const limitMs = rules.renewDeadlineMs / 2;
    const cancel = clock.setTimer(limitMs, () =>
      answered({ is: "failed", message: `${method} ${path}: no answer within ${limitMs} ms` }),
    );
    send(method, path, controller.signal, body).then(
      (lease) => answered(read(lease)),
      (error: unknown) => answered(inputOf(method, error)),
    );
  }

  async function send(method: string, path: string, signal: AbortSignal, body?: Lease): Promise<Lease> {
    const answer = await transport.fetch(path, {
      ...{ method, signal },
      ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    const lease = (await readAnswer(answer, { method, path })) as Partial<Lease> | null;
    if (!lease?.metadata?.resourceVersion) throw new Error(`${method} ${path}: the answer is no Lease`);
    return lease as Lease;
  }

  feed({ is: "start" });
  return {
    leads: () => isLeading(state, rules, clock.monotonic()),
    stop() {
      feed({ is: "stop" });
      return done.promise;
    },
    status() {
      const leads = isLeading(state, rules, clock.monotonic());
      const holder = leads ? rules.identity : holderOf(state.lease);
      return { leads, ...(holder && { holder }), ...(state.error === undefined ? {} : { error: state.error }) };
    },
  };
}

function inputOf(method: string, error: unknown): ElectionInput {
  if (error instanceof ConflictError) return { is: "conflict" };
  if (method === "GET" && error instanceof NotFoundError) return { is: "absent" };
  return { is: "failed", message: messageOf(error) };
}
