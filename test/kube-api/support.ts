import type { ApiServer } from "../../adapters/testing/index.ts";

type Answered = {
  status: number;
  headers: Pick<Headers, "get">;
  body: Record<string, unknown> & { metadata: Record<string, string> };
};

export const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

/** Sends JSON and reads JSON. */
export async function call(
  { transport }: Pick<ApiServer, "transport">,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const response = await transport.fetch(path, {
    method,
    headers: { "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/json", ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answered["body"] };
}

export function configMap(name: string, data: Record<string, string> = {}): object {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data };
}
