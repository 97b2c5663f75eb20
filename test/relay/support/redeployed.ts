import type { Manifest, Relation } from "../../../functions/contract/index.ts";
import { configMaps, documents, manifestOf, objectOf, relationOf, secrets } from "./objects.ts";
import { relayUnderTest } from "./relay-under-test.ts";

/** Controllers with their revisions; the deployment's is made of them. */
export function deployment(controllers: Record<string, { revision: string; relations: Relation[] }>): Manifest {
  const names = Object.keys(controllers);
  const manifest = manifestOf(Object.fromEntries(names.map((name) => [name, controllers[name]!.relations])));
  return {
    ...manifest,
    revision: names.map((name) => controllers[name]!.revision).join("+"),
    controllers: manifest.controllers.map((each) => ({ ...each, revision: controllers[each.name]!.revision })),
  };
}

export const primary = relationOf({ watch: { resource: documents }, predicate: "generation" });
export const owned = (over: Partial<Relation> = {}): Relation =>
  relationOf({
    id: "owns/ConfigMap",
    watch: { resource: configMaps },
    mapping: { by: "owner", owner: "controller" },
    ...over,
  });
export const named = (field: string): Relation =>
  relationOf({ id: "watches/Secret", watch: { resource: secrets }, mapping: { by: "namedBy", field } });

/** A ConfigMap that a Document controls. */
export const child = (name: string, version: string, owner: string) =>
  objectOf({
    name,
    resourceVersion: version,
    ownerReferences: [{ apiVersion: "example.com/v1", kind: "Document", name: owner, uid: "u", controller: true }],
  });

/** A relay whose functions are deployed anew. */
export function relayToRedeploy() {
  const bench = relayUnderTest();
  const { clock, ingress, api } = bench;
  const settleManifest = async (response: Response): Promise<void> => {
    await clock.advance(60_000);
    const poll = ingress.last();
    if (poll.path !== "/manifest") throw new Error(`${poll.path} was asked, not /manifest`);
    poll.answer(response);
    await clock.settle();
  };
  return {
    ...bench,
    /** Two minutes in which the functions declare this: enough for it to be adopted. */
    async redeploy(next: Manifest): Promise<void> {
      await settleManifest(Response.json(next, { headers: { etag: next.revision } }));
      await settleManifest(new Response(null, { status: 304 }));
    },
    settleManifest,
    /** Accepts the batch that is under way: `docs/a resync bulk d2`. */
    async taken(): Promise<string[]> {
      const { path, triggers, accept } = ingress.last();
      if (path !== "/triggers") return [];
      accept();
      await clock.settle();
      return triggers
        .map(({ controller, name, lane, reason, revision }) =>
          [`${controller}/${name}`, lane, reason, revision].filter((text) => text !== undefined).join(" "),
        )
        .sort();
    },
    /** What was asked of the API server from here on. */
    asking() {
      const before = api.asked.length;
      return () =>
        api.asked.slice(before).map(({ path, query }) => {
          const selector = query.get("labelSelector");
          const kind = `${path.split("/").at(-1)}${selector ? `?${selector}` : ""}`;
          return `${query.has("watch") ? "watch" : "list"} ${kind}`;
        });
    },
  };
}
