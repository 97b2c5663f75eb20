import type { ObjectRef, Reason } from "../../functions/contract/index.ts";

/** A controller in a cluster (S20). */
export type LineName = { readonly cluster: string; readonly controller: string };

/** What a step has people know, beside what it changes. */
export type Note =
  | { type: "over budget"; ref: ObjectRef; reasons: readonly Reason[] }
  | { type: "lease ended"; ref: ObjectRef }
  | { type: "late answer"; key: string }
  | { type: "refused again"; ref: ObjectRef }
  | { type: "crashed"; ref: ObjectRef; counted: boolean }
  | ({ type: "paused"; forMs: number; status: number | null } & LineName)
  | ({ type: "resumed" } & LineName)
  | ({ type: "parked" | "deleted"; entries: number } & LineName)
  | ({ type: "full"; triggers: number } & LineName);
