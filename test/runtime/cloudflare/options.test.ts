import { awaitChange, defineController } from "sluice";
import { type Bindings, createWorker, type WorkerOptions } from "sluice/cloudflare";
import { ConfigMap } from "sluice/kinds";
import { describe, expect, test } from "vitest";
import { clustersOf } from "../../../adapters/runtime/cloudflare/options.ts";

const SECRET = `whsec_${Buffer.from("a secret of 32 bytes for tests!!").toString("base64")}`;
const home = { name: "home", gateway: "https://gateway.test/home", secrets: [SECRET] };
const controller = defineController<Bindings>()({ name: "maps", for: ConfigMap, reconcile: () => awaitChange() });
const options: WorkerOptions<Bindings, object> = { controllers: [controller], clusters: () => [home] };

describe("what createWorker refuses at once", () => {
  test.each<[string, object, string]>([
    ["a name that is none", { cluster: () => [] }, "cluster: is no option of createWorker; known are controllers"],
    ["clusters that are no function", { clusters: [home] }, "clusters: must be a function"],
    ["a controller that is none", { controllers: [{}] }, "controllers[0]: must be made by defineController"],
    ["an async context", { context: async () => ({}) }, "context: must not be async"],
    ["no start an event", { startsPerEvent: 0 }, "startsPerEvent: must be a whole number from 1 to 1000"],
    ["too many starts an event", { startsPerEvent: 1001 }, "startsPerEvent: must be a whole number from 1 to 1000"],
    ["a level that is none", { logLevel: "loud" }, 'logLevel: must be "debug", "info", "warn" or "error"'],
  ])("%s", (_, wrong, message) =>
    expect(() => createWorker({ ...options, ...wrong } as typeof options)).toThrow(message),
  );
});

describe("what is refused of the clusters, once the bindings are there", () => {
  const clusters = (...all: object[]) => ({ clusters: () => all as (typeof home)[] });
  test.each<[string, { clusters: () => (typeof home)[] }, string]>([
    ["none", clusters(), "clusters: must name at least 1"],
    ["a Promise", { clusters: async () => [home] } as never, "clusters: must return a list of clusters"],
    ["a name that is no label", clusters({ ...home, name: "Home" }), "clusters[0].name: must be a DNS label"],
    ["two of one name", clusters(home, home), "clusters[1].name: another cluster is named home"],
    ["no gateway", clusters({ ...home, gateway: undefined }), "clusters[0].gateway: must be an http or https URL"],
    ["a gateway with a query", clusters({ ...home, gateway: "https://a/?b" }), "clusters[0].gateway: must be an http"],
    ["no secret", clusters({ ...home, secrets: [] }), "clusters[0].secrets: must have at least 1"],
    ["a secret that is none", clusters({ ...home, secrets: ["hunter2"] }), "clusters[0].secrets: each must be whsec_"],
    ["a kubeconfig", clusters({ ...home, kubeconfig: "x" }), "clusters[0].kubeconfig: is no option of a cluster"],
  ])("%s", (_, wrong, message) => {
    expect(() => clustersOf(wrong, {})).toThrow(message);
    expect(() => clustersOf(wrong, {})).not.toThrow("hunter2");
  });

  test("nothing of what is right", () => expect(clustersOf(clusters(home), {})).toEqual([home]));
});

test("a Worker has one createWorker", () => {
  createWorker(options);
  expect(() => createWorker(options)).toThrow("createWorker: called twice in one Worker");
});
