import { Agent, fetch } from "undici";

export const mergePatch = "application/merge-patch+json";
export const applyPatch = "application/apply-patch+yaml";

/** What tests read of any object. */
export type KubeObject = {
  metadata: {
    name: string;
    namespace?: string;
    uid: string;
    resourceVersion: string;
    generation?: number;
    deletionTimestamp?: string;
    finalizers?: string[];
    ownerReferences?: { apiVersion: string; kind: string; name: string; uid: string; controller?: boolean }[];
    managedFields?: { manager: string; operation: string; subresource?: string; time?: string }[];
    annotations?: Record<string, string>;
    labels?: Record<string, string>;
  };
  // biome-ignore lint/suspicious/noExplicitAny: a test names the fields that it looks at.
  [field: string]: any;
};

/** An answer that is not 2xx. */
export class KubeStatusError extends Error {
  readonly status: number;
  constructor(status: number, method: string, path: string, text: string) {
    super(`${method} ${path}: ${status} ${text.slice(0, 500)}`);
    this.status = status;
  }
}

/** The API server as a test sees it: a client of its own, so that it shares no fault with the one under test. */
export class KubeApi {
  readonly #server: string;
  readonly #token: string;
  readonly #agent: Agent;

  constructor(options: { server: string; ca: string; token: string }) {
    this.#server = options.server;
    this.#token = options.token;
    this.#agent = new Agent({ connect: { ca: options.ca } });
  }

  async request(method: string, path: string, body?: unknown, type = "application/json"): Promise<KubeObject> {
    const answer = await fetch(this.#server + path, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, ...(body === undefined ? {} : { "content-type": type }) },
      body: body === undefined ? null : JSON.stringify(body),
      dispatcher: this.#agent,
    });
    const text = await answer.text();
    if (!answer.ok) throw new KubeStatusError(answer.status, method, path, text);
    return (answer.headers.get("content-type")?.includes("json") ? JSON.parse(text) : text) as KubeObject;
  }

  get(path: string): Promise<KubeObject> {
    return this.request("GET", path);
  }

  /** The object, or undefined where there is none. */
  async find(path: string): Promise<KubeObject | undefined> {
    return this.get(path).catch((error: unknown) => {
      if (error instanceof KubeStatusError && error.status === 404) return undefined;
      throw error;
    });
  }

  create(path: string, body: object): Promise<KubeObject> {
    return this.request("POST", `${path}?fieldManager=test`, body);
  }

  patch(path: string, body: object, type = mergePatch): Promise<KubeObject> {
    return this.request("PATCH", `${path}?fieldManager=test`, body, type);
  }

  /** Forced server-side apply under the manager `test`. */
  apply(path: string, body: object): Promise<KubeObject> {
    return this.request("PATCH", `${path}?fieldManager=test&force=true`, body, applyPatch);
  }

  delete(path: string): Promise<KubeObject> {
    return this.request("DELETE", path);
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}
