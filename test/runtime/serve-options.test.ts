import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { awaitChange, defineController } from "sluice";
import { ConfigMap } from "sluice/kinds";
import { type ServeOptions, serve } from "sluice/node";
import { expect, test } from "vitest";

const stateDir = join(tmpdir(), "sluice-serve-options-never-made");
const secret = `whsec_${btoa("0".repeat(24))}`;
const options = { name: "maps", for: ConfigMap, reconcile: () => awaitChange() };
const good = {
  controllers: [defineController()(options)],
  clusters: () => [{ name: "a", kubeconfig: "/nowhere/kubeconfig" }],
  stateDir,
};
const MADE = "must be made by defineController, which is called twice: defineController()({ … })";
const LIST = "clusters: must return a list of clusters, and no Promise of it";
const FOLDER = "stateDir: must be the path of a folder";
const PORT = "listen.port: must be a whole number from 0 to 65535";
const SECRET = "clusters[0].secrets: each must be whsec_ and 24 to 64 bytes in base64";
const KUBECONFIG = "clusters[0].kubeconfig: must be the path of a kubeconfig, or be left out";
const of = (cluster: object) => ({ clusters: () => [{ name: "a", ...cluster }] });

async function refusal(change: object): Promise<unknown> {
  return serve({ ...good, ...change } as ServeOptions<unknown, object>).then(
    () => "served",
    (error: unknown) => error,
  );
}

test.each<[string, object, string]>([
  ["a misspelt option", { stateDirr: "x" }, "stateDirr: is no option of serve; known are controllers, clusters,"],
  ["a misspelt option instead of a needed one", { stateDir: undefined, stateDirr: "x" }, "stateDirr: is no option"],
  ["no controllers", { controllers: undefined }, "controllers: must be a list of what defineController()({ … })"],
  ["an empty controller", { controllers: [{}] }, `controllers[0]: ${MADE}`],
  ["null as a controller", { controllers: [good.controllers[0], null] }, `controllers[1]: ${MADE}`],
  ["the options of a controller", { controllers: [options] }, `controllers[0]: ${MADE}`],
  ["what one call returns", { controllers: [defineController()] }, `controllers[0]: ${MADE}`],
  ["no clusters", { clusters: undefined }, "clusters: must be a function"],
  ["a list of clusters", { clusters: [{ name: "a" }] }, "clusters: must be a function"],
  ["clusters that return nothing", { clusters: () => undefined }, LIST],
  ["async clusters", { clusters: async () => [{ name: "a" }] }, LIST],
  [
    "null as a cluster",
    { clusters: () => [null] },
    "clusters[0]: must be an object of options: name, kubeconfig, gateway",
  ],
  [
    "a misspelt kubeconfig",
    of({ kubeconfg: "/x" }),
    "clusters[0].kubeconfg: is no option of a cluster; known are name,",
  ],
  ["a number as a kubeconfig", of({ kubeconfig: 5 }), KUBECONFIG],
  ["an empty kubeconfig", of({ kubeconfig: "" }), KUBECONFIG],
  ["another relay", of({ relay: "far" }), 'clusters[0].relay: must be "embedded" or "apart"'],
  ["one secret", of({ secrets: secret }), "clusters[0].secrets: must be a list of secrets"],
  ["a number as a secret", of({ secrets: [secret, 5] }), SECRET],
  ["a short secret", of({ secrets: [secret, "whsec_hunter2"] }), SECRET],
  ["no stateDir", { stateDir: undefined }, FOLDER],
  ["a number as stateDir", { stateDir: 5 }, FOLDER],
  ["an empty stateDir", { stateDir: "" }, FOLDER],
  ["another logLevel", { logLevel: "verbose" }, 'logLevel: must be "debug", "info", "warn" or "error"'],
  ["a number as listen", { listen: 5 }, "listen: must be an object of options: port, host"],
  ["listen without a port", { listen: {} }, PORT],
  ["a text as a port", { listen: { port: "abc" } }, PORT],
  ["a port that is too great", { listen: { port: 65_536 } }, PORT],
  ["a number as a host", { listen: { port: 0, host: 5 } }, "listen.host: must be a text"],
  [
    "a misspelt host",
    { listen: { port: 0, hots: "::1" } },
    "listen.hots: is no option of listen; known are port, host",
  ],
  ["an object as context", { context: {} }, "context: must be a function"],
  ["an async context", { context: async () => ({}) }, "context: must not be async: what it returns is taken at once"],
])("%s is refused, the field is named, and no secret is quoted", async (_, change, message) => {
  const error = await refusal(change);
  expect(error).toBeInstanceOf(TypeError);
  expect((error as Error).message.slice(0, message.length)).toBe(message);
  expect((error as Error).message).not.toMatch(/whsec_\w/);
  expect(existsSync(stateDir)).toBe(false);
});

test("every option that there is passes: only the kubeconfig that is not there is complained of", async () => {
  const all: Required<Omit<ServeOptions<unknown, object>, "controllers" | "clusters" | "stateDir">> = {
    context: () => ({}),
    env: {},
    listen: { port: 0, host: "127.0.0.1" },
    logLevel: "warn",
  };
  const cluster = { kubeconfig: "/nowhere/kubeconfig", relay: "apart", secrets: [secret] };
  expect(String(await refusal({ ...all, ...of(cluster) }))).toContain("/nowhere/kubeconfig");
});
