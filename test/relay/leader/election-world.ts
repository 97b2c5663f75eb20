import {
  ELECTION_TIMES,
  type ElectionInput,
  type ElectionRules,
  type ElectionState,
  initialElection,
  isLeading,
  leadsUntil,
  stepElection,
} from "../../../infra/relay/leader/election.ts";
import { holderOf, type Lease } from "../../../infra/relay/leader/lease.ts";

/** What becomes of one request: how long it and its answer travel, and whether one of them is lost. */
export type Fate = { thereMs: number; backMs: number; lost: "no" | "request" | "answer" };

export type Happening = { atMs: number; candidate: number } & (
  | { is: "pause"; forMs: number }
  | { is: "kill" }
  | { is: "stop" }
  | { is: "clock step"; byMs: number }
);

type Candidate = {
  rules: ElectionRules;
  state: ElectionState;
  wallOffsetMs: number;
  pausedUntilMs: number;
  /** Another one after each restart: what was meant for the one before is nobody's. */
  life: number;
};

const QUICK: Fate = { thereMs: 5, backMs: 5, lost: "no" };

/** Candidates and the API server that holds their Lease, on one time line. */
export function electionWorld(count: number, fates: Fate[]) {
  let nowMs = 0;
  let version = 0;
  let lease: Lease | undefined;
  const queue: { atMs: number; act: () => void }[] = [];
  const transitions: string[] = [];
  const candidates: Candidate[] = Array.from({ length: count }, () => ({
    rules: rulesOf("none"),
    state: initialElection,
    wallOffsetMs: 0,
    pausedUntilMs: 0,
    life: 0,
  }));

  function at(inMs: number, act: () => void): void {
    const event = { atMs: nowMs + inMs, act };
    const later = queue.findIndex(({ atMs }) => atMs > event.atMs);
    queue.splice(later < 0 ? queue.length : later, 0, event);
  }

  function start(i: number): void {
    const each = candidates[i]!;
    each.life++;
    each.pausedUntilMs = 0;
    each.state = initialElection;
    each.rules = rulesOf(`${i}-${each.life}`);
    feed(i, each.life, { is: "start" });
  }

  function feed(i: number, life: number, input: ElectionInput): void {
    const each = candidates[i]!;
    if (each.life !== life) return;
    if (nowMs < each.pausedUntilMs) return void at(each.pausedUntilMs - nowMs, () => feed(i, life, input));
    const clocks = { nowMs, wallMs: 1e12 + nowMs + each.wallOffsetMs, random: 0.5 };
    const [next, effects] = stepElection(each.state, input, each.rules, clocks);
    each.state = next;
    if (next.leads) at(leadsUntil(next, each.rules) - nowMs, () => feed(i, life, { is: "tick" }));
    for (const effect of effects) {
      if (effect.do === "wait") at(effect.ms, () => feed(i, life, { is: "waited" }));
      else if (effect.do === "done") at(1_000, () => each.life === life && start(i));
      else if (effect.do === "get" || effect.do === "write")
        ask(i, life, effect.do === "write" ? effect.lease : undefined);
    }
  }

  function ask(i: number, life: number, write: Lease | undefined): void {
    const { thereMs, backMs, lost } = fates.shift() ?? QUICK;
    let open = true;
    const answer = (input: ElectionInput): void => {
      if (open) feed(i, life, input);
      open = false;
    };
    at(ELECTION_TIMES.renewDeadlineMs / 2, () => answer({ is: "failed", message: "no answer" }));
    if (lost === "request") return;
    at(thereMs, () => {
      const input = serve(write);
      if (lost === "no") at(backMs, () => answer(input));
    });
  }

  /** As the API server does: a write is fenced by the version that it was read at. */
  function serve(write: Lease | undefined): ElectionInput {
    if (!write) return lease ? { is: "found", lease } : { is: "absent" };
    if (write.metadata.resourceVersion !== lease?.metadata.resourceVersion) return { is: "conflict" };
    lease = { ...write, metadata: { ...write.metadata, resourceVersion: String(++version) } };
    transitions.push(`${holderOf(lease) ?? "nobody"} ${lease.spec?.leaseTransitions}`);
    return { is: "written", lease };
  }

  function happens(happening: Happening): void {
    const each = candidates[happening.candidate]!;
    if (happening.is === "pause") each.pausedUntilMs = nowMs + happening.forMs;
    else if (happening.is === "clock step") each.wallOffsetMs += happening.byMs;
    else if (happening.is === "kill") start(happening.candidate);
    else feed(happening.candidate, each.life, { is: "stop" });
  }

  return {
    start() {
      for (const i of candidates.keys()) start(i);
    },
    plan: (happening: Happening) => at(happening.atMs, () => happens(happening)),
    /** Runs until then. @param look after everything that happens. */
    run(untilMs: number, look: (leaders: string[]) => void) {
      for (let next = queue.shift(); next && next.atMs <= untilMs; next = queue.shift()) {
        nowMs = next.atMs;
        next.act();
        look(leaders());
      }
      nowMs = untilMs;
    },
    leaders,
    /** Each write of the Lease that was taken: its holder and `leaseTransitions`. */
    transitions,
  };

  function leaders(): string[] {
    return candidates.flatMap(({ state, rules }) => (isLeading(state, rules, nowMs) ? [rules.identity] : []));
  }
}

export function rulesOf(identity: string): ElectionRules {
  return { ...ELECTION_TIMES, identity, lease: { namespace: "sluice", name: "sluice-relay" } };
}
