import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** A kubeconfig in this folder, of an API server that nobody answers for. */
export function awayKubeconfig(folder: string): string {
  const path = join(folder, "kubeconfig");
  writeFileSync(
    path,
    JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name: "a", cluster: { server: "https://127.0.0.1:1" } }],
      users: [{ name: "a", user: { token: "token" } }],
      contexts: [{ name: "a", context: { cluster: "a", user: "a" } }],
      "current-context": "a",
    }),
  );
  return path;
}
