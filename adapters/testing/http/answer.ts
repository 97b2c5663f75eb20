/** What a handler answers with: a JSON body, a text, or the lines of a watch. */
export type Answer = {
  status: number;
  headers?: Record<string, string>;
  warnings?: readonly string[];
} & ({ body: unknown } | { text: string } | { stream: ReadableStream<Uint8Array> });

export function toResponse(answer: Answer): Response {
  const headers = new Headers({ "cache-control": "no-cache, private", ...answer.headers });
  for (const warning of answer.warnings ?? []) headers.append("warning", `299 - ${JSON.stringify(warning)}`);
  if ("text" in answer) {
    if (!headers.has("content-type")) headers.set("content-type", "text/plain; charset=utf-8");
    return new Response(answer.text, { status: answer.status, headers });
  }
  if (!headers.has("content-type")) headers.set("content-type", "application/json");
  if ("stream" in answer) return new Response(answer.stream, { status: answer.status, headers });
  return new Response(`${JSON.stringify(answer.body)}\n`, { status: answer.status, headers });
}
