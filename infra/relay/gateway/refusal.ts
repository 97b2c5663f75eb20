import { MAX_ERROR_LENGTH, type Problem, problemOf } from "../../../functions/contract/index.ts";

/** Thrown anywhere in a request: answered with its status and a problem as the body, so that our refusals can be told. */
export class Refusal extends Error {
  override name = "Refusal";
  readonly status: number;
  readonly problem: Problem;
  readonly headers: Record<string, string>;

  /** @example throw new Refusal(413, "too-large", "the body is too large", { field: "body", limit: "3145728 bytes" }) */
  constructor(
    status: number,
    code: string,
    message: string,
    at: { field?: string; limit?: string } = {},
    headers: Record<string, string> = {},
  ) {
    super(message);
    this.status = status;
    this.problem = problemOf(code, message.slice(0, MAX_ERROR_LENGTH).toWellFormed(), at);
    this.headers = headers;
  }

  toResponse(): Response {
    const headers = { ...this.headers, "cache-control": "no-store" };
    return Response.json(this.problem, { status: this.status, headers });
  }
}
