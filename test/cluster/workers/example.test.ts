import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { applyCrd, newNamespace, sharedCluster } from "../support/cluster.ts";
import { eventually } from "../support/eventually.ts";
import { type ExampleProcess, LIMIT_MS, startExample } from "./example-process.ts";

const { api, kubeconfig } = sharedCluster();
const crd = join(import.meta.dirname, "../../../examples/documents/document-crd.yaml");
const NAMES = Array.from({ length: 150 }, (_, i) => `doc-${i}`);
/** Less than a lease of the example, whose runs may take 60 s. */
const NO_LEASE_MS = 40_000;
/** More than that: a process that ends may leave a lease in every place. */
const WITH_LEASE_MS = LIMIT_MS + 65_000;

let namespace: string;
let stateDir: string;
let example: ExampleProcess | undefined;

beforeAll(() => applyCrd(api, parse(readFileSync(crd, "utf8"))));
beforeEach(async () => {
  namespace = await newNamespace(api);
  stateDir = mkdtempSync(join(tmpdir(), "sluice-example-"));
});
afterEach(async () => {
  await example?.process.kill9();
  for (const name of NAMES) await release(name);
  // All at once, and before the next example watches.
  await api.delete(documents());
  await api.delete(`/api/v1/namespaces/${namespace}/configmaps`);
  await api.delete(`/api/v1/namespaces/${namespace}`);
  rmSync(stateDir, { recursive: true, force: true });
});
afterAll(() => api.close());

const documents = () => `/apis/example.com/v1/namespaces/${namespace}/documents`;

/** Nobody is there to clean up any more. */
async function release(name: string): Promise<void> {
  const path = `${documents()}/${name}`;
  if (await api.find(path)) await api.patch(path, { metadata: { finalizers: null } });
}

async function start(): Promise<ExampleProcess> {
  example = startExample({ KUBECONFIG: kubeconfig, STATE_DIR: stateDir });
  await example.ready();
  return example;
}

function create(name: string, content: string): Promise<unknown> {
  const metadata = { name };
  return api.create(documents(), {
    apiVersion: "example.com/v1",
    kind: "Document",
    metadata,
    spec: { title: name, content },
  });
}

const change = (name: string, content: string) => api.patch(`${documents()}/${name}`, { spec: { content } });

const isDone = async (name: string, content: string): Promise<boolean> => {
  const [document, map] = await Promise.all([
    api.find(`${documents()}/${name}`),
    api.find(`/api/v1/namespaces/${namespace}/configmaps/${name}`),
  ]);
  return document?.status?.observedGeneration === document?.metadata.generation && map?.data?.content === content;
};

async function done(content: string, names: readonly string[] = NAMES, limitMs = LIMIT_MS): Promise<void> {
  for (const name of names) await eventually(`${name} is done with "${content}"`, limitMs, () => isDone(name, content));
}

describe("the example on workerd, stopped by SIGTERM to its process group", () => {
  test("R7 has saved what it did: after the next start nothing runs that did not change", async () => {
    const first = await start();
    await Promise.all(NAMES.map((name) => create(name, "one")));
    await done("one");
    await Promise.all(NAMES.map((name) => change(name, "two")));
    await done("two");
    expect(await first.stop()).toMatchObject({ exit: { code: 0, signal: null }, errors: 0 });
    const second = await start();
    await create("new", "one");
    await done("one", ["new"]);
    expect(await second.stop()).toEqual({ exit: { code: 0, signal: null }, reconciles: 1, errors: 0 });
    await release("new");
  }, 240_000);

  test("S5 lets runs end, so that no key waits for a lease afterwards", async () => {
    const first = await start();
    await Promise.all(NAMES.map((name) => create(name, "one")));
    await done("one");
    const changed = NAMES.map((name) => change(name, "two"));
    await changed[0];
    await eventually("the first is done", LIMIT_MS, () => isDone(NAMES[0]!, "two"));
    expect((await first.stop()).exit).toEqual({ code: 0, signal: null });
    await Promise.all(changed);
    await start();
    await done("two", NAMES, NO_LEASE_MS);
  }, 240_000);

  test("R7 saves through a workerd that was stopped at the same time, which is started again for that", async () => {
    const first = await start();
    await Promise.all(NAMES.map((name) => create(name, "one")));
    await done("one");
    await Promise.all(NAMES.map((name) => change(name, "two")));
    await done("two");
    for (const part of ["workerd", "relay"] as const)
      for (const pid of first.pidsOf(part)) process.kill(pid, "SIGTERM");
    expect(await first.process.exited).toEqual({ code: 1, signal: null });
    const second = await start();
    await create("new", "one");
    await done("one", ["new"], WITH_LEASE_MS);
    expect(await second.stop()).toMatchObject({ reconciles: 1, errors: 0 });
    await release("new");
  }, 240_000);
});

test("S14 a second example on a state folder ends with 1 and names it; kill -9 of the first lets the next one start", async () => {
  const first = await start();
  const second = startExample({ KUBECONFIG: kubeconfig, STATE_DIR: stateDir });
  expect(await second.process.exited).toEqual({ code: 1, signal: null });
  expect([second.process.stdout, second.process.stderr]).toEqual([
    [],
    [`STATE_DIR ${stateDir}: it is in use by another process`],
  ]);
  await create("a", "one");
  await done("one", ["a"]);
  await first.process.kill9();
  await start();
  // Of "a" a run may have been cut, whose lease stands.
  await create("b", "one");
  await done("one", ["b"], WITH_LEASE_MS);
  for (const name of ["a", "b"]) await release(name);
}, 300_000);
