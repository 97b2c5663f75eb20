import { StatusError } from "../kubectl.ts";
import type { Lab } from "../lab.ts";
import { NotInTimeError } from "../until.ts";

/** What was found, as JSON: at the API server, in the scheduler, in what the functions asked and answered. */
export type Evidence = Readonly<Record<string, unknown>>;

/** What the evidence must show, and whether it does. */
export type Checks = Readonly<Record<string, boolean>>;

export type Claim = {
  id: string;
  text: string;
  /** Does what the claim is about, and looks. @throws NotInTimeError where it never came to what was expected. */
  prove(lab: Lab): Promise<{ evidence: Evidence; checks: Checks }>;
};

export type Verdict = {
  id: string;
  claim: string;
  holds: boolean;
  evidence: Evidence;
  /** What is not so, for a claim that is false. */
  wrong?: readonly string[];
};

export async function verdictOf({ id, text: claim, prove }: Claim, lab: Lab): Promise<Verdict> {
  try {
    const { evidence, checks } = await prove(lab);
    const wrong = Object.entries(checks).flatMap(([what, holds]) => (holds ? [] : [`not so: ${what}`]));
    return { id, claim, holds: wrong.length === 0, evidence, ...(wrong.length > 0 && { wrong }) };
  } catch (error) {
    if (!(error instanceof NotInTimeError || error instanceof StatusError)) throw error;
    return { id, claim, holds: false, evidence: {}, wrong: [error.message] };
  }
}
