/** An error for a log line: "fetch failed" says nothing without its cause, and some messages hold theirs already. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause.message : "";
  return cause === "" || error.message.includes(cause) ? error.message : `${error.message}: ${cause}`;
}
