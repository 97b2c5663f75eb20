import type { WatchInput } from "./watch.ts";

/** Why a watch was resumed or listed anew, for metrics. */
export type WatchCause = "ended" | "silent" | "deadline" | "expired" | "refused" | "error" | "went-back";

/** What an input is the cause of, if of anything. A wait that is over goes on with what there was before it. */
export function causeOf(input: WatchInput): WatchCause | undefined {
  switch (input.is) {
    case "closed":
      return "ended";
    case "silent":
    case "deadline":
      return input.is;
    case "error":
      return input.code === 410 ? "expired" : "error";
    case "failed":
      if (input.status === 410) return "expired";
      return input.status === undefined || input.status >= 500 ? "error" : "refused";
    default:
      return undefined;
  }
}
