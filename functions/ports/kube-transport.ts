/** How requests reach an API server: directly with its CA, or through a gateway. Credentials are its own matter. */
export interface KubeTransport {
  /**
   * @param path with query, from `/api` or `/apis` on.
   * @throws TypeError when nothing was answered, as `fetch` does. Any status is an answer.
   */
  fetch(path: string, init?: KubeRequest): Promise<Response>;
}

export type KubeRequest = {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
};
