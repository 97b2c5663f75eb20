import type { Claim } from "./claim.ts";

export const missingDependency: Claim = {
  id: "a",
  text: "a missing dependency is a requeue: no error, no failure counted",
  async prove({ journal, functions, until }) {
    const run = await until("shop was looked at", () => journal.of("shop").at(-1));
    const entry = await until("the scheduler holds shop", () => functions.entry("shop"));
    const { outcome, action } = run;
    const { attempt: failures, backoffInMs, dueInMs } = entry;
    return {
      evidence: { secret: run.secret, outcome, action, failures, backoffInMs, dueInMs },
      checks: {
        "the run looked for the Secret and did not find it": run.secret?.found === false,
        "the run succeeded": outcome === "success",
        "its Action is a requeue": action !== undefined && "requeueAfterMs" in action,
        "the scheduler counted no failure": failures === 0 && backoffInMs === null,
        "the scheduler waits for the requeue": dueInMs !== null && dueInMs > 0,
      },
    };
  },
};
