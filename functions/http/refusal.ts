import type { ContentfulStatusCode } from "hono/utils/http-status";
import { MAX_ERROR_LENGTH, type Problem } from "../contract/index.ts";

/** Thrown anywhere in a request: answered with its status and a problem as the body, so that our refusals can be told. */
export class Refusal extends Error {
  override name = "Refusal";
  readonly status: ContentfulStatusCode;
  readonly problem: Problem;
  readonly headers: Record<string, string>;

  constructor(status: ContentfulStatusCode, problem: Problem, headers: Record<string, string> = {}) {
    super(problem.error.message);
    this.status = status;
    this.problem = problem;
    this.headers = headers;
  }

  /** What is cut here was sent by the one who reads it. */
  toResponse(): Response {
    const { error, ...rest } = this.problem;
    const cut = Object.fromEntries(
      Object.entries(error).map(([name, text]) => [name, text.slice(0, MAX_ERROR_LENGTH).toWellFormed()]),
    );
    return Response.json({ ...rest, error: cut }, { status: this.status, headers: this.headers });
  }
}
