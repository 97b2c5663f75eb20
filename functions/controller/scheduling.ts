import * as z from "zod";
import { type SchedulingOptions, schedulingOptions } from "../contract/index.ts";
import { type Duration, toMs } from "./duration.ts";
import { optionsOf } from "./names.ts";

/** The options of a controller that the scheduler needs. */
type Options = {
  name: string;
  concurrency?: number;
  debounce?: Duration;
  timeout?: Duration;
  backoff?: { base?: Duration; factor?: number; max?: Duration; jitter?: number };
  budget?: { startsPerMinute: number };
};

const any = z.unknown().optional();

/** Which options there are; {@link schedulingOf} checks their values. */
export const schedulingShape = {
  concurrency: any,
  debounce: any,
  timeout: any,
  backoff: optionsOf("backoff", { base: any, factor: any, max: any, jitter: any }).optional(),
  budget: optionsOf("budget", { startsPerMinute: z.number("must be a number") }).optional(),
};

/** How the user calls what the wire calls otherwise. */
const USER_NAMES: Record<string, string> = {
  debounceMs: "debounce",
  deadlineMs: "timeout",
  startsPerMinute: "budget.startsPerMinute",
  "backoff.baseMs": "backoff.base",
  "backoff.maxMs": "backoff.max",
};

/** The wire's scheduling options from a user's, with defaults; errors name the user's field. */
export function schedulingOf(options: Options): SchedulingOptions {
  const ms = (field: string, value: Duration | undefined): number | undefined =>
    value === undefined ? undefined : toMs(value, `controller ${options.name}: ${field}`);
  const { backoff = {}, budget } = options;
  const parsed = schedulingOptions.safeParse({
    concurrency: options.concurrency,
    debounceMs: ms("debounce", options.debounce),
    deadlineMs: ms("timeout", options.timeout),
    backoff: {
      baseMs: ms("backoff.base", backoff.base),
      factor: backoff.factor,
      maxMs: ms("backoff.max", backoff.max),
      jitter: backoff.jitter,
    },
    startsPerMinute: budget?.startsPerMinute,
  });
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const path = issue?.path.join(".") ?? "";
    const unit = path.endsWith("Ms") ? " (milliseconds)" : "";
    throw new TypeError(`controller ${options.name}: ${USER_NAMES[path] ?? path}: ${issue?.message}${unit}`);
  }
  const { baseMs, maxMs } = parsed.data.backoff;
  if (maxMs < baseMs)
    throw new TypeError(`controller ${options.name}: backoff.max: must be at least backoff.base, ${baseMs} ms`);
  return parsed.data;
}
