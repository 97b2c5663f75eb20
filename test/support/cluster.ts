import type { ApiServer } from "../../adapters/testing/index.ts";

/** An object as the API server answers it, as loose as tests want it. */
export type Loose = { metadata: Record<string, unknown> & { name: string }; [field: string]: unknown };

/** Requests of a person at the cluster: what kubectl would do. */
export function person(server: Pick<ApiServer, "transport">) {
  const send = async (method: string, path: string, body?: object, type = "application/json") => {
    const response = await server.transport.fetch(`${path}?fieldManager=person`, {
      method,
      headers: { "content-type": type },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, object: (await response.json()) as Loose };
  };
  return {
    get: async (path: string): Promise<Loose | undefined> => {
      const { status, object } = await send("GET", path);
      return status === 404 ? undefined : object;
    },
    create: (path: string, object: object) => send("POST", path, object),
    merge: (path: string, patch: object) => send("PATCH", path, patch, "application/merge-patch+json"),
    delete: (path: string) => send("DELETE", path),
  };
}
