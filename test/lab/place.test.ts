import { crdOf } from "sluice";
import { createApiServer } from "sluice/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { Site } from "../../examples/lab/controller.ts";
import { createKubectl, type Kubectl } from "../../examples/lab/kubectl.ts";
import { createLeftovers, type Leftovers } from "../../examples/lab/leftovers.ts";
import { createPlace } from "../../examples/lab/place.ts";

const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const CRD = `${CRDS}/sites.lab.sluice.dev`;
const NAMESPACES = "/api/v1/namespaces";
const SITE = { apiVersion: Site.apiVersion, kind: Site.kind, metadata: { name: "blog" }, spec: { text: "Hello" } };

const signal = new AbortController().signal;
let kubectl: Kubectl;
let leftovers: Leftovers;
beforeEach(() => {
  kubectl = createKubectl(createApiServer().transport);
  leftovers = createLeftovers();
});
const enter = (as = kubectl) => createPlace(as, signal, leftovers);
const namespaces = async () =>
  (await kubectl.list(NAMESPACES))
    .map(({ metadata }) => metadata.name)
    .filter((name) => name.startsWith("sluice-lab-"));

describe("the CRD", () => {
  test.each(["first", "second"])("goes with the last of two labs, where the %s leaves last", async (last) => {
    const labs = [await enter(), await enter()];
    if (last === "first") labs.reverse();
    await labs[0]!.remove(leftovers);
    expect(await kubectl.find(CRD)).toBeDefined();
    await labs[1]!.remove(leftovers);
    expect(await kubectl.find(CRD)).toBeUndefined();
    expect(leftovers.list).toEqual([]);
  });

  test("goes when two labs enter at once and leave at once", async () => {
    const labs = await Promise.all([enter(), enter()]);
    await Promise.all(labs.map((lab) => lab.remove(leftovers)));
    expect(await kubectl.find(CRD)).toBeUndefined();
    expect(await namespaces()).toEqual([]);
    expect(leftovers.list).toEqual([]);
  });

  test("stays for a lab that enters just before another deletes it", async () => {
    const entered: Awaited<ReturnType<typeof enter>>[] = [];
    const slow: Kubectl = {
      ...kubectl,
      async delete(path, only) {
        if (path === CRD && entered.length === 0) entered.push(await enter());
        await kubectl.delete(path, only);
      },
    };
    await (await enter(slow)).remove(leftovers);
    expect(await kubectl.find(CRD)).toBeDefined();
    expect(await kubectl.list(entered[0]!.sites)).toEqual([]);
    await entered[0]!.remove(leftovers);
    expect(await kubectl.find(CRD)).toBeUndefined();
  });

  test("is made anew where another lab removes it between the look and the mark", async () => {
    const other = await enter();
    const server = kubectl;
    const slow: Kubectl = {
      ...server,
      async merge(path, patch) {
        if (path === CRD) await other.remove(leftovers);
        return server.merge(path, patch);
      },
    };
    const place = await enter(slow);
    expect(await kubectl.list(place.sites)).toEqual([]);
  });

  test("that was there without a lab's label is neither marked nor removed", async () => {
    await kubectl.create(CRDS, crdOf(Site));
    const version = (await kubectl.find(CRD))!.metadata.resourceVersion;
    const place = await enter();
    await place.remove(leftovers);
    expect(place.crdIsOurs).toBe(false);
    expect((await kubectl.find(CRD))!.metadata.resourceVersion).toBe(version);
  });

  test("stays while somebody's Site is in another namespace", async () => {
    const place = await enter();
    await kubectl.create(NAMESPACES, { apiVersion: "v1", kind: "Namespace", metadata: { name: "mine" } });
    await kubectl.create(place.sites.replace(place.namespace, "mine"), SITE);
    await place.remove(leftovers);
    expect(await kubectl.find(CRD)).toBeDefined();
    expect(leftovers.list).toEqual([]);
  });

  test("is not kept by the mark of a lab whose namespace is gone", async () => {
    const killed = await enter();
    await kubectl.delete(`${NAMESPACES}/${killed.namespace}`);
    await (await enter()).remove(leftovers);
    expect(await kubectl.find(CRD)).toBeUndefined();
  });
});

describe("removal goes on past what cannot be removed, and names it", () => {
  const refusing = (name: string): Kubectl => ({
    ...kubectl,
    async delete(path, only) {
      if (path.endsWith(name)) throw new Error("cannot delete");
      await kubectl.delete(path, only);
    },
  });

  test("the namespace", async () => {
    let name = "nothing";
    const place = await enter({
      ...kubectl,
      delete: (path, only) => refusing(name).delete(path, only),
    });
    name = place.namespace;
    await place.remove(leftovers);
    expect(leftovers.list).toEqual([`namespace ${place.namespace}: cannot delete`]);
    expect(await kubectl.find(CRD)).toBeUndefined();
  });

  test("the CRD", async () => {
    const place = await enter(refusing("sites.lab.sluice.dev"));
    await place.remove(leftovers);
    expect(leftovers.list).toEqual(["CRD sites.lab.sluice.dev: cannot delete"]);
    expect(await namespaces()).toEqual([]);
  });

  test("a Site, without sparing the others their release", async () => {
    const place = await enter(refusing("/sites/a"));
    for (const name of ["a", "b"]) await kubectl.create(place.sites, { ...SITE, metadata: { name } });
    await place.release();
    expect((await kubectl.list(place.sites)).map(({ metadata }) => metadata.name)).toEqual(["a"]);
    // The namespace takes the Site with it: nothing is left over.
    await place.remove(leftovers);
    expect(leftovers.list).toEqual([]);
  });
});
