import { parseGoJson } from "../http/go-json.ts";
import { badRequest } from "../http/status-error.ts";

/** Where a list goes on: after which key, as of which revision (-1: the newest). */
export type ContinueToken = { revision: number; after: string };

export function encodeContinue(token: ContinueToken): string {
  const json = JSON.stringify({ v: "meta.k8s.io/v1", rv: token.revision, start: `${token.after}\u0000` });
  const binary = String.fromCharCode(...new TextEncoder().encode(json));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** @throws StatusError 400 where the text is no token. */
export function decodeContinue(text: string): ContinueToken {
  const fail = (why: string) => badRequest(`invalid continue token: continue key is not valid: ${why}`);
  let binary: string;
  try {
    binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    throw fail("illegal base64 data at input byte 0");
  }
  try {
    const json = new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0)));
    const { rv, start } = parseGoJson(json).value as { rv: number; start: string };
    return { revision: rv, after: start.slice(0, -1) };
  } catch (error) {
    throw fail(firstCharacter(binary, error as Error));
  }
}

/** The decoder reads bytes, and shows one that is no letter as an escape. */
function firstCharacter(binary: string, error: Error): string {
  const code = binary.charCodeAt(0);
  if (code < 0x80) return error.message;
  return `invalid character '\\u${code.toString(16).padStart(4, "0")}' looking for beginning of value`;
}
