/**
 * The names that Kubernetes accepts, and our field paths.
 * @module
 */

const DNS_LABEL = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?";
const NAME_PART = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const DOMAIN = new RegExp(`^${DNS_LABEL}(?:\\.${DNS_LABEL})*$`);
const FIELD_PATH = /^(?:\.[A-Za-z_][A-Za-z0-9_-]*)+$/;

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
  return text.length <= 253 && FIELD_PATH.test(text);
}

function isDomain(text: string): boolean {
  return text.length <= 253 && DOMAIN.test(text);
}
