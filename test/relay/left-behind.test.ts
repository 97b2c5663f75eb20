/** What a watch held for a relation that it serves no longer, while it goes on for another controller. */
import { describe, expect, it } from "vitest";
import { MAX_WATCHED_NAMESPACES } from "../../infra/relay/plan/places.ts";
import { documents, objectOf, relationOf } from "./support/objects.ts";
import { deployment, primary, relayToRedeploy } from "./support/redeployed.ts";
import { document } from "./support/relay-under-test.ts";

const namespace = (name: string) => objectOf({ name, namespace: undefined });
const within = (over: object) => relationOf({ watch: { resource: documents, ...over }, predicate: "generation" });

/** A relay, and the newest requests for documents, the last one first. */
function bench() {
  const { api, ...more } = relayToRedeploy();
  return {
    ...more,
    api,
    newest: (back = 0) => api.asked.filter(({ path }) => path.endsWith("/documents")).at(-1 - back)!,
  };
}

describe("R12 F1 a controller that narrows its selector has what it excludes triggered, where the wider watch", () => {
  async function narrowed(more: Parameters<typeof deployment>[0]["more"]) {
    const { declare, list, newest, redeploy, clock, taken } = bench();
    await declare(
      deployment({ docs: { revision: "d1", relations: [primary] }, more: { revision: "m1", relations: [primary] } }),
    );
    await list("documents", [document("left", "5"), document("both", "6")]);
    newest().stream();
    await clock.settle();
    await taken();
    const requests = newest();
    await redeploy(deployment({ docs: { revision: "d2", relations: [within({ matchLabels: { team: "y" } })] }, more }));
    const wide = newest(1);
    if (wide !== requests) wide.page([document("left", "5"), document("both", "6")], { resourceVersion: "10" });
    newest().page([document("both", "6")], { resourceVersion: "10" });
    await clock.settle();
    return (await taken()).filter((trigger) => trigger.startsWith("docs/"));
  }

  it("goes on for another one", async () => {
    const triggered = await narrowed({ revision: "m1", relations: [primary] });
    expect(triggered).toEqual(["docs/both resync bulk d2", "docs/left resync bulk d2"]);
  });

  it("is listed anew for another one", async () => {
    const relations = [{ ...primary, predicate: "resourceVersion" as const }];
    const triggered = await narrowed({ revision: "m2", relations });
    expect(triggered).toEqual(["docs/both resync bulk d2", "docs/left resync bulk d2"]);
  });
});

describe("R8 F1 namespaces by label", () => {
  const byLabel = (team: string) => within({ namespaceSelector: { matchLabels: { team } } });

  it("have their keys triggered when one loses the label, where another controller watches it by name", async () => {
    const { asked, declare, list, clock, taken } = bench();
    await declare(
      deployment({
        docs: { revision: "d1", relations: [byLabel("x")] },
        more: { revision: "m1", relations: [within({ namespaces: ["default"] })] },
      }),
    );
    await list("documents", [document("a", "5")]);
    await taken();
    await list("namespaces", [namespace("default")]);
    const stream = asked("namespaces").stream();
    await list("documents", [document("a", "5")]);
    expect(await taken()).toContainEqual(expect.stringContaining("docs/a"));
    stream.send({ type: "DELETED", object: objectOf({ ...namespace("default").metadata, resourceVersion: "11" }) });
    await clock.settle();
    expect(await taken()).toEqual(["docs/a resync object-updated d1"]);
  });

  it.each([
    ["few others", 0],
    ["others that share it, too", MAX_WATCHED_NAMESPACES + 1],
  ])("that share a watch have their keys triggered when a redeploy selects %s", async (_, others) => {
    const { asked, declare, list, newest, redeploy, clock, taken } = bench();
    const many = (count: number, of: string) => Array.from({ length: count }, (_, i) => namespace(`${of}-${i}`));
    await declare(deployment({ docs: { revision: "d1", relations: [byLabel("x")] } }));
    await list("namespaces", [namespace("default"), ...many(MAX_WATCHED_NAMESPACES, "x")]);
    asked("namespaces").stream();
    await list("documents", [document("left", "5")]);
    newest().stream();
    await clock.settle();
    await taken();
    await redeploy(deployment({ docs: { revision: "d2", relations: [byLabel("y")] } }));
    await list("namespaces", many(others, "y"));
    if (others > 0) await list("documents", [document("left", "5")]);
    expect(await taken()).toEqual(["docs/left resync bulk d2"]);
  });
});
