import { MAX_ERROR_LENGTH } from "../contract/index.ts";

/** A cause's cause's cause is seldom news. */
const MAX_CAUSES = 3;

/**
 * An error as one text for answers, records and logs (X4): its message and those of its causes, without the secrets that
 * are known here, at most 1024 characters.
 */
export function errorText(error: unknown, secrets: readonly string[]): string {
  const texts: string[] = [];
  for (let one = error; one !== undefined && texts.length <= MAX_CAUSES; one = one instanceof Error ? one.cause : undefined)
    texts.push(textOf(one));
  const text = withoutSecrets(texts.join(": "), secrets).toWellFormed();
  return text.length > MAX_ERROR_LENGTH ? `${text.slice(0, MAX_ERROR_LENGTH - 1)}…`.toWellFormed() : text;
}

/** A text in which every known secret, also as it stands in a URL, is replaced. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const forms = secrets
    .flatMap((secret) => [secret, secret.replace(/^whsec_/, "")])
    .flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed())])
    .filter((form) => form !== "")
    .sort((a, b) => b.length - a.length);
  return forms.reduce((rest, form) => rest.replaceAll(form, "[secret]"), text);
}

function textOf(error: unknown): string {
  try {
    if (!(error instanceof Error)) return typeof error === "string" ? error : `${JSON.stringify(error)}`;
    return error.message === "" ? error.name : error.message;
  } catch {
    return "an error that has no text";
  }
}
