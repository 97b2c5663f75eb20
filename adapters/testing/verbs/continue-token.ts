import { badRequest } from "../http/status-error.ts";

/** Where a list goes on: after which key, as of which revision (-1: the newest). */
export type ContinueToken = { revision: number; after: string };

export function encodeContinue(token: ContinueToken): string {
  const json = JSON.stringify({ v: "meta.k8s.io/v1", rv: token.revision, start: `${token.after}\u0000` });
  return btoa(json).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** @throws StatusError 400 where the text is no token. */
export function decodeContinue(text: string): ContinueToken {
  try {
    const parsed = JSON.parse(atob(text.replaceAll("-", "+").replaceAll("_", "/"))) as { rv: number; start: string };
    return { revision: parsed.rv, after: parsed.start.slice(0, -1) };
  } catch {
    throw badRequest("continue key is not valid: illegal base64 data");
  }
}
