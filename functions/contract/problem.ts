import * as z from "zod";
import { API_VERSION, apiVersion } from "./api-version.ts";

/**
 * The body of every refusal of ours. A relay tells by it whether our ingress refused, or a proxy before it (R5).
 */
export const problem = z.object({
  apiVersion,
  error: z.object({
    /** For scripts: `bad-signature`, `stale-timestamp`, `too-large`, `malformed`, `foreign-cluster`, `not-found`, … */
    code: z.string(),
    message: z.string(),
    /** The path of the field that is wrong: `triggers[3].name`. */
    field: z.string().optional(),
    /** The limit that was passed: `500 triggers`. */
    limit: z.string().optional(),
  }),
});
export type Problem = z.infer<typeof problem>;

/** @example problemOf("too-large", "the body is too large", { limit: "1048576 bytes" }) */
export function problemOf(code: string, message: string, at: { field?: string; limit?: string } = {}): Problem {
  return { apiVersion: API_VERSION, error: { code, message, ...at } };
}

/**
 * The first complaint of a zod error as a problem: its path as `triggers[3].name`, and the limit where a length, a size or
 * a value passed one.
 */
export function problemOfZod(error: z.ZodError): Problem {
  const issue = error.issues[0];
  if (!issue) return problemOf("malformed", "the body is malformed");
  const path = [...issue.path, ...(issue.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [])];
  const field = path.reduce<string>(
    (text, part) =>
      typeof part === "number" ? `${text}[${part}]` : text === "" ? String(part) : `${text}.${String(part)}`,
    "",
  );
  const limit =
    issue.code === "too_big"
      ? `at most ${issue.maximum}`
      : issue.code === "too_small"
        ? `at least ${issue.minimum}`
        : undefined;
  return problemOf("malformed", `${field === "" ? "body" : field}: ${issue.message}`, {
    field: field === "" ? "body" : field,
    ...(limit === undefined ? {} : { limit }),
  });
}
