/**
 * The names that Kubernetes accepts, our field paths, and the names of options.
 * @module
 */
import * as z from "zod";
import { fieldPath } from "../contract/index.ts";

const DNS_LABEL = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?";
const NAME_PART = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const DOMAIN = new RegExp(`^${DNS_LABEL}(?:\\.${DNS_LABEL})*$`);

/** `name` or `domain/name`: what labels, annotations and finalizers are called (apimachinery `IsQualifiedName`). */
export function isQualifiedName(text: string): boolean {
  const parts = text.split("/");
  const name = parts.pop() ?? "";
  const [domain, ...more] = parts;
  return NAME_PART.test(name) && more.length === 0 && (domain === undefined || isDomain(domain));
}

/** A qualified name with its domain, which is what the API server asks of a finalizer. */
export function isDomainQualified(text: string): boolean {
  return text.includes("/") && isQualifiedName(text);
}

/** A label's value: at most 63 characters, or empty. */
export function isLabelValue(text: string): boolean {
  return text === "" || NAME_PART.test(text);
}

/** `.spec.secretName`: names joined by dots, from the object's root. */
export function isFieldPath(text: string): boolean {
  return fieldPath.safeParse(text).success;
}

function isDomain(text: string): boolean {
  return text.length <= 253 && DOMAIN.test(text);
}

/** An object of options that refuses those it does not know, as a misspelt one would be as good as left out. */
export function optionsOf<const Shape extends z.core.$ZodShape>(
  what: string,
  shape: Shape,
): z.ZodObject<Shape, z.core.$strict> {
  const known = Object.keys(shape).join(", ");
  return z.strictObject(shape, {
    error: ({ code }) =>
      code === "unrecognized_keys"
        ? `is no option of ${what}; known are ${known}`
        : `must be an object of options: ${known}`,
  });
}

/** A value that must be one of these texts. */
export function oneOf<const Text extends string>(...texts: readonly Text[]): z.ZodType<Text> {
  const quoted = texts.map((text) => `"${text}"`);
  return z.custom<Text>(
    (value) => texts.some((text) => text === value),
    `must be ${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`,
  );
}

export const anyFunction = z.custom((value) => typeof value === "function", "must be a function");

/**
 * Refuses a value that does not fit, naming the field. An option that is not known comes first: where a name is misspelt,
 * the right one is missing too.
 * @param owner is before the field: `controller documents: `.
 * @param root names the value itself.
 * @throws TypeError
 */
export function checkShape(schema: z.ZodType, value: unknown, owner = "", root = ""): void {
  const issues = schema.safeParse(value).error?.issues ?? [];
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
  if (!issue) return;
  const path = issue.code === "unrecognized_keys" ? [...issue.path, issue.keys[0]] : issue.path;
  const steps = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("");
  const field = `${root}${steps}`.replace(/^\./, "");
  throw new TypeError(`${owner}${field || "options"}: ${issue.message}`);
}
