import { beforeEach, describe, expect, it } from "vitest";
import { createVirtualClock } from "../../adapters/testing/virtual-clock.ts";
import { API_VERSION, type MapRequest, mapRequest } from "../../functions/contract/index.ts";
import type { ObjectMeta } from "../../functions/kube/resource.ts";
import { createIngress, type IngressRequest } from "../../infra/relay/deliver/ingress.ts";
import { createMapper, type Mapper } from "../../infra/relay/map/mapper.ts";
import type { PlannedRelation } from "../../infra/relay/plan/plan.ts";
import { recordingLogger } from "../support/recording-logger.ts";
import { documents, namespaces, objectOf } from "./support/objects.ts";
import { secret } from "./support/scripted-ingress.ts";

const relation = (objects: "full" | "metadata" = "full", primary = documents): PlannedRelation => ({
  controller: "docs",
  route: "watches/Secret:mapTo",
  mapping: { by: "code", code: "c", objects },
  predicate: "resourceVersion",
  reason: "related-object-updated",
  primary,
  references: [],
});

type Asked = MapRequest & { path: string; answer(response: Response): void; told(...results: unknown[]): void };

let clock: ReturnType<typeof createVirtualClock>;
let logger: ReturnType<typeof recordingLogger>;
let mapper: Mapper;
let asked: Asked[];
let answers: string[];

beforeEach(() => {
  clock = createVirtualClock(Date.UTC(2026, 0, 1));
  logger = recordingLogger();
  asked = [];
  answers = [];
  const fetch = (path: string, init: IngressRequest) =>
    new Promise<Response>((answer) => {
      const body = mapRequest.parse(JSON.parse(new TextDecoder().decode(init.body)));
      const told = (...results: unknown[]) => answer(Response.json({ apiVersion: API_VERSION, results }));
      asked.push({ ...body, path, answer, told });
    });
  const ingress = createIngress({ ingress: { fetch }, secrets: [secret], clock });
  mapper = createMapper({ cluster: "home", ingress, clock, logger, random: () => 0.5 });
});

async function ask(name: string, over: { relation?: PlannedRelation; meta?: Partial<ObjectMeta>; note?: string } = {}) {
  const object = objectOf({ name, ...over.meta }, { data: { note: over.note ?? "" } });
  mapper.ask({
    relation: over.relation ?? relation(),
    ...{ id: `default/${name}`, object, deleted: false },
    answered: (ids, newest) => void answers.push(`${name}: ${ids.join(" ")}${newest ? "" : " (older)"}`),
  });
  await clock.settle();
}
const keys = (...names: string[]) => ({ keys: names.map((name) => ({ namespace: "default", name })) });
const names = ({ objects }: Asked) => objects.map(({ object }) => object.metadata.name);
const last = () => asked.at(-1)!;
async function settle(answer: () => void): Promise<void> {
  answer();
  await clock.settle();
}

describe("R5 what is sent", () => {
  it("goes to the relation's route, with the cluster", async () => {
    await ask("a");
    expect(last()).toMatchObject({ path: "/map/docs/watches%2FSecret%3AmapTo", cluster: "home" });
  });

  it("is the object without managedFields, or its metadata alone", async () => {
    const meta = { labels: { x: "y" }, managedFields: [{ manager: "m" }] };
    await ask("a", { meta });
    expect(last().objects[0]?.object).toMatchObject({ data: { note: "" }, metadata: { labels: { x: "y" } } });
    expect(last().objects[0]?.object.metadata).not.toHaveProperty("managedFields");
    await settle(() => last().told(keys()));
    await ask("b", { meta, relation: relation("metadata") });
    expect(last().objects[0]?.object).toMatchObject({ kind: "ConfigMap", metadata: { labels: { x: "y" } } });
    expect(last().objects[0]?.object).not.toHaveProperty("data");
  });

  it("what comes while a request is under way goes with the next: of an object the newest state", async () => {
    await ask("a", { note: "1" });
    await ask("b", { note: "1" });
    await ask("b", { note: "2" });
    expect(asked).toHaveLength(1);
    await settle(() => last().told(keys("x")));
    expect(last().objects).toMatchObject([{ object: { metadata: { name: "b" }, data: { note: "2" } } }]);
    await settle(() => last().told(keys("y", "z")));
    expect(answers).toEqual(["a: default/x", "b: default/y default/z"]);
  });

  it("an answer is said to be older where a newer state waits", async () => {
    await ask("a", { note: "1" });
    await ask("a", { note: "2" });
    await settle(() => last().told(keys("x")));
    await settle(() => last().told(keys("y")));
    expect(answers).toEqual(["a: default/x (older)", "a: default/y"]);
  });

  it("is at most 50 objects, and about a megabyte", async () => {
    await ask("first");
    for (let i = 0; i < 60; i++) await ask(`small-${i}`);
    await settle(() => last().told(keys()));
    expect(last().objects).toHaveLength(50);
    for (let i = 0; i < 3; i++) await ask(`large-${i}`, { note: "x".repeat(600_000) });
    await settle(() => last().told(...last().objects.map(() => keys())));
    expect(names(last())).toHaveLength(10 + 1);
    await settle(() => last().told(...last().objects.map(() => keys())));
    expect(names(last())).toEqual(["large-1"]);
  });
});

describe("R5 what fails is asked again, for ever", () => {
  it.each<[string, (asked: Asked) => void]>([
    ["a 503", ({ answer }) => answer(new Response(null, { status: 503 }))],
    ["a page of a proxy", ({ answer }) => answer(new Response("<html>", { status: 200 }))],
    ["results of another number", ({ told }) => told()],
  ])("%s holds the batch, with a backoff", async (_, fail) => {
    await ask("a");
    for (let failures = 0; failures < 20; failures++) {
      await settle(() => fail(last()));
      expect(mapper.status().errors).toHaveLength(1);
      const before = asked.length;
      await clock.advance(50);
      expect(asked, "no sooner").toHaveLength(before);
      await clock.advance(29_960);
      expect(asked).toHaveLength(before + 1);
    }
    await settle(() => last().told(keys("x")));
    expect(answers).toEqual(["a: default/x"]);
    expect(mapper.status()).toEqual({ pending: 0, errors: [] });
    expect(logger.lines.filter(({ message }) => message.includes("mapping by code failed"))).toHaveLength(1);
  });

  it("a newer state takes the place of one that failed", async () => {
    await ask("a", { note: "1" });
    await ask("a", { note: "2" });
    await settle(() => last().answer(new Response(null, { status: 503 })));
    await clock.advance(1_000);
    expect(last().objects).toMatchObject([{ object: { data: { note: "2" } } }]);
  });

  it("a batch that fails as a whole is halved, so that one object does not hold all others", async () => {
    await ask("first");
    for (const name of ["a", "b", "poison", "c"]) await ask(name);
    await settle(() => last().told(keys()));
    for (let rounds = 0; rounds < 12 && answers.length < 4; rounds++) {
      if (names(last()).includes("poison")) await settle(() => last().answer(new Response(null, { status: 500 })));
      else await settle(() => last().told(...last().objects.map(() => keys("x"))));
      await clock.advance(29_960);
    }
    expect(answers.map((answer) => answer.split(":")[0]).sort()).toEqual(["a", "b", "c", "first"]);
    expect(mapper.status().pending).toBe(1);
  });

  it("the code's error is one object's alone: the others are answered, and it is asked again later", async () => {
    await ask("first");
    await ask("a");
    await ask("b");
    await settle(() => last().told(keys()));
    await settle(() => last().told({ error: "no such team" }, keys("x")));
    expect(answers).toEqual(["first: ", "b: default/x"]);
    expect(mapper.status()).toMatchObject({
      pending: 1,
      errors: [{ error: expect.stringContaining("default/a: no such team") }],
    });
    await clock.advance(1_000);
    expect(names(last())).toEqual(["a"]);
    await settle(() => last().told(keys("y")));
    expect(answers.at(-1)).toBe("a: default/y");
    expect(mapper.status()).toEqual({ pending: 0, errors: [] });
  });

  it("an object whose code failed is asked about at once where it changed", async () => {
    await ask("a", { note: "1" });
    await settle(() => last().told({ error: "no" }));
    await ask("a", { note: "2" });
    expect(last().objects).toMatchObject([{ object: { data: { note: "2" } } }]);
    await settle(() => last().told(keys("x")));
    await clock.advance(60_000);
    expect(asked).toHaveLength(2);
  });
});

describe("X2 a key that is none of the relation's is refused, and its object asked about again", () => {
  it.each<[string, object, string]>([
    ["another controller's", { controller: "other", namespace: "default", name: "a" }, "controller: is not docs"],
    ["another cluster's", { cluster: "away", namespace: "default", name: "a" }, "cluster: is not home"],
    ["without a namespace", { name: "a" }, "namespace: Document is Namespaced"],
    ["a name that leads elsewhere", { namespace: "default", name: "../b" }, "name: must be an object name"],
    ["a namespace that leads elsewhere", { namespace: "a/b", name: "a" }, "namespace: must be a DNS label"],
    ["no key at all", { key: "a" }, "name: Invalid input"],
  ])("%s", async (_, key, message) => {
    await ask("a");
    await settle(() => last().told({ keys: [{ namespace: "default", name: "good" }, key] }));
    expect(answers).toEqual([]);
    expect(mapper.status().errors[0]?.error).toContain(`keys.1.${message}`);
    expect(mapper.status().pending).toBe(1);
  });

  it("a key may say whose it is, and comes once", async () => {
    await ask("a");
    const key = { cluster: "home", controller: "docs", namespace: "default", name: "x" };
    await settle(() => last().told({ keys: [key, key] }));
    expect(answers).toEqual(["a: default/x"]);
  });

  it("a cluster-scoped primary has no namespace", async () => {
    await ask("a", { relation: relation("full", namespaces) });
    await settle(() => last().told({ keys: [{ name: "x" }] }));
    expect(answers).toEqual(["a: /x"]);
  });
});

it("R12 what waits for a relation that is declared no longer is forgotten", async () => {
  await ask("a");
  await settle(() => last().answer(new Response(null, { status: 404 })));
  mapper.retain(new Set(["docs/other"]));
  await clock.advance(60_000);
  expect(asked).toHaveLength(1);
  expect(mapper.status()).toEqual({ pending: 0, errors: [] });
});

it("a mapper that was stopped asks nothing more", async () => {
  await ask("a");
  mapper.stop();
  await settle(() => last().answer(new Response(null, { status: 503 })));
  await ask("b");
  await clock.advance(60_000);
  expect(asked).toHaveLength(1);
});
