/** How requests reach an API server: directly with its CA, or through a gateway. Credentials are its own matter. */
export interface KubeTransport {
  /**
   * Whoever gets an answer reads its body or cancels it, else its connection stays taken.
   * @param path with query, from `/api` or `/apis` on.
   * @throws TypeError when nothing was answered, as `fetch` does. Any status is an answer.
   */
  fetch(path: string, init?: KubeRequest): Promise<KubeResponse>;
}

export type KubeRequest = {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
  /** Milliseconds until the run's deadline, for a gateway to enforce it (S5). */
  remainingMs?: number;
};

/** What a client needs of a `Response`. A whole one costs Node up to half as much CPU again as the request itself. */
export type KubeResponse = Pick<Response, "ok" | "status" | "body" | "json" | "text"> & {
  headers: Pick<Headers, "get">;
};
