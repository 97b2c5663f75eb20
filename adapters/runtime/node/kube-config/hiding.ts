import type { CredentialSource } from "./credentials.ts";

/** Blotted out, a shorter text would only make every line unreadable. */
const SHORTEST = 4;

/**
 * A source whose tokens and passwords join a list of texts that no log and no error shows (X4), those of a later rotation too.
 * @example connectKube(hiding(credentialSource(process.env), hidden), { logger })
 */
export function hiding(source: CredentialSource, hidden: string[]): CredentialSource {
  const hide = (text: string | undefined) => {
    if (text && text.length >= SHORTEST && !hidden.includes(text)) hidden.push(text);
  };
  return async (refused) => {
    const credentials = await source(refused);
    const shown = credentials.authorization?.replace(/^\S+ /, "");
    hide(shown);
    if (shown && credentials.authorization?.startsWith("Basic ")) hide(passwordIn(shown));
    if (credentials.proxy) hide(decodeURIComponent(new URL(credentials.proxy).password));
    return credentials;
  };
}

function passwordIn(basic: string): string {
  return Buffer.from(basic, "base64")
    .toString("utf8")
    .replace(/^[^:]*:/, "");
}
