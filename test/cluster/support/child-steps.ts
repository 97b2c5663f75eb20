import type { Step, Steps } from "../../../functions/ports/steps.ts";

/** Where a process under test is to be held: at this step, the nth time that it comes by. */
export type Hold = { step: Step; occurrence: number };

/** The variable through which `spawnProcess` says it. */
export const holdsVariable = "SLUICE_TEST_HOLDS";

/** What travels over the channel between a test and its child. */
export type StepReport = { reached: Step };
export type StepRelease = { release: Step };

/**
 * The child's side of {@link spawnProcess}: reports the steps that the test asked for, and blocks at each until the test
 * releases it or kills the process. Every other step costs nothing.
 *
 * @example
 * ```ts
 * serve({ controllers, steps: ipcSteps() });
 * ```
 */
export function ipcSteps(holds: readonly Hold[] = holdsFromEnvironment()): Steps {
  if (holds.length === 0) return { reach: async () => {} };
  if (!process.send) throw new Error(`${holdsVariable} is set, but there is no channel to the test that set it`);
  // A test that died must not leave us standing here.
  process.once("disconnect", () => process.kill(process.pid, "SIGKILL"));
  process.channel?.unref();
  const seen = new Map<Step, number>();
  return {
    async reach(step) {
      const occurrence = (seen.get(step) ?? 0) + 1;
      seen.set(step, occurrence);
      if (holds.some((hold) => hold.step === step && hold.occurrence === occurrence)) await held(step);
    },
  };
}

function held(step: Step): Promise<void> {
  process.channel?.ref();
  return new Promise((resolve) => {
    const onMessage = (message: StepRelease) => {
      if (message.release !== step) return;
      process.off("message", onMessage);
      process.channel?.unref();
      resolve();
    };
    process.on("message", onMessage);
    process.send?.({ reached: step } satisfies StepReport);
  });
}

function holdsFromEnvironment(): Hold[] {
  return JSON.parse(process.env[holdsVariable] ?? "[]") as Hold[];
}
