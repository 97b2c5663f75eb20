import type { Claim } from "./claim.ts";
import { crash } from "./crash.ts";
import { deletion } from "./deletion.ts";
import { handEdit } from "./hand-edit.ts";
import { missingDependency } from "./missing-dependency.ts";
import { secondRound } from "./second-round.ts";
import { secretAppears } from "./secret-appears.ts";
import { statusWrite } from "./status-write.ts";

/** In the order in which the lab comes to them, each with what the lab does for it. */
export const CLAIMS: readonly { claim: Claim; doing?: string }[] = [
  // These two look at the first round.
  { claim: missingDependency },
  { claim: statusWrite },
  { doing: "Trigger all three again, though nothing changed.", claim: secondRound },
  { doing: "Edit blog's ConfigMap by hand.", claim: handEdit },
  { doing: "Create the Secret that shop waits for.", claim: secretAppears },
  { doing: "Change blog, and kill -9 the scheduler after it accepted the trigger and before it runs.", claim: crash },
  { doing: "Delete docs. The web server refuses to take its page down, once.", claim: deletion },
];
