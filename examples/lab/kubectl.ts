import type { Cluster } from "./cluster.ts";
import type { Loose } from "./run.ts";

/** The API server answered with an error. */
export class StatusError extends Error {
  override name = "StatusError";
  readonly status: number;
  constructor(status: number, method: string, path: string, text: string) {
    super(`${method} ${path}: ${status} ${messageIn(text)}`);
    this.status = status;
  }
}

/** The lab may not do what it has to do: nothing to wait for, and nothing that a claim could be false by. */
export class ForbiddenError extends Error {
  override name = "ForbiddenError";
}

const LONGEST_TEXT = 300;

/** The words of a Status, which for a 403 name the verb and the resource; the text itself where it is something else. */
export function messageIn(text: string): string {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    if (typeof message === "string" && message !== "") return message;
  } catch {
    // Of a proxy, say.
  }
  return text.slice(0, LONGEST_TEXT);
}

const TYPES = {
  json: "application/json",
  merge: "application/merge-patch+json",
  apply: "application/apply-patch+yaml",
};

/** A person at the cluster: what the lab changes, and how it looks at what the controller did. */
export interface Kubectl {
  /** The object, or undefined where there is none. */
  find(path: string): Promise<Loose | undefined>;
  list(path: string): Promise<Loose[]>;
  create(path: string, object: object): Promise<Loose>;
  merge(path: string, patch: object): Promise<Loose>;
  /** Server-side apply under a field manager. */
  apply(path: string, object: object, fieldManager: string): Promise<Loose>;
  /** @param only deletes the object only as it is here; else a StatusError with 409. */
  delete(path: string, only?: { uid: string; resourceVersion: string }): Promise<void>;
}

/** Under this field manager the lab itself writes. */
const MANAGER = "somebody";

export function createKubectl(transport: Pick<Cluster["transport"], "fetch">): Kubectl {
  async function send<T>(method: string, path: string, body?: object, type: keyof typeof TYPES = "json"): Promise<T> {
    const answer = await transport.fetch(path, {
      method,
      headers: { accept: TYPES.json, ...(body && { "content-type": TYPES[type] }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const error = new StatusError(answer.status, method, path, text);
    if (answer.status === 403) throw new ForbiddenError(error.message);
    if (!answer.ok) throw error;
    return JSON.parse(text) as T;
  }
  const unlessAbsent = async <T>(work: Promise<T>): Promise<T | undefined> =>
    work.catch((error: unknown) => {
      if (error instanceof StatusError && error.status === 404) return undefined;
      throw error;
    });

  return {
    find: (path) => unlessAbsent(send<Loose>("GET", path)),
    list: async (path) => (await send<{ items: Loose[] }>("GET", path)).items,
    create: (path, object) => send("POST", `${path}?fieldManager=${MANAGER}`, object),
    merge: (path, patch) => send("PATCH", `${path}?fieldManager=${MANAGER}`, patch, "merge"),
    apply: (path, object, manager) => send("PATCH", `${path}?fieldManager=${manager}`, object, "apply"),
    async delete(path, only) {
      const options = only && { apiVersion: "v1", kind: "DeleteOptions", preconditions: only };
      await unlessAbsent(send("DELETE", path, options));
    },
  };
}
