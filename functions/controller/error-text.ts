import { MAX_ERROR_LENGTH } from "../contract/index.ts";

/** Deeper causes are seldom news, and a cause may be its own. */
const MAX_CAUSES = 3;

/**
 * An error as one text for answers, records and logs (X4): its message and those of its causes, without the secrets that
 * are known here, at most 1024 characters.
 */
export function errorText(error: unknown, secrets: readonly string[]): string {
  const texts = [textOf(error)];
  for (let cause = causeOf(error); cause !== undefined && texts.length <= MAX_CAUSES; cause = causeOf(cause))
    texts.push(textOf(cause));
  const text = withoutSecrets(texts.join(": "), secrets);
  return (text.length > MAX_ERROR_LENGTH ? `${text.slice(0, MAX_ERROR_LENGTH - 1)}…` : text).toWellFormed();
}

/** A text in which every known secret, also in the form that it has in a URL, is replaced. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const forms = secrets
    .flatMap((secret) => [secret, secret.replace(/^whsec_/, "")])
    .flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed())])
    .filter((form) => form !== "")
    .sort((a, b) => b.length - a.length);
  return forms.reduce((rest, form) => rest.replaceAll(form, "[secret]"), text);
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}

function textOf(error: unknown): string {
  try {
    if (typeof error === "string") return error;
    if (error instanceof Error) return error.message === "" ? error.name : String(error.message);
    return JSON.stringify(error) ?? (typeof error === "function" ? "a function" : String(error));
  } catch {
    return "an error that has no text";
  }
}
