import type * as z from "zod";
import { MAX_DEPTH, problemOf, problemOfZod } from "../contract/index.ts";
import { Refusal } from "./refusal.ts";

/**
 * A body as its schema's type (X3).
 * @throws Refusal 400 that names the field, 413 where a list is longer than its limit.
 */
export function parseBody<S extends z.ZodType>(bytes: Uint8Array, schema: S, maxDepth = MAX_DEPTH): z.infer<S> {
  const text = decode(bytes);
  if (depthOf(text) > maxDepth) {
    const limit = `${maxDepth} levels`;
    throw new Refusal(400, problemOf("too-deep", `the body is nested deeper than ${limit}`, { field: "body", limit }));
  }
  const parsed = schema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const problem = problemOfZod(parsed.error);
  // The sender can cut a list and send it again, as it does where the body is too large (R5).
  if (issue?.code === "too_big" && issue.origin === "array") {
    const field = issue.path.join(".");
    const limit = `${issue.maximum} ${field}`;
    throw new Refusal(413, problemOf("too-large", `${field}: more than ${limit}`, { field, limit }));
  }
  throw new Refusal(400, problem);
}

/** @throws Refusal 400 where a body is not UTF-8. */
export function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new Refusal(400, problemOf("malformed", "the body is not UTF-8", { field: "body" }));
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, problemOf("malformed", "the body is not JSON", { field: "body" }));
  }
}

/** The deepest nesting of a JSON text, in one pass and without parsing it; brackets in strings do not count. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (inString && char === "\\") at++;
    else if (char === '"') inString = !inString;
    else if (inString) continue;
    else if (char === "[" || char === "{") deepest = Math.max(deepest, ++depth);
    else if (char === "]" || char === "}") depth--;
  }
  return deepest;
}
