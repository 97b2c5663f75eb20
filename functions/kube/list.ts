import { GoneError } from "./errors.ts";
import type { ListOptions } from "./kube.ts";
import { collectionPath } from "./paths.ts";
import type { KubeObject, Resource } from "./resource.ts";
import type { Sender } from "./send.ts";

/** Objects a page: what client-go and kube-rs ask for. */
const PAGE_SIZE = 500;

type Page = { kind?: string; metadata?: { continue?: string }; items?: KubeObject[] | null };

/**
 * Lists page by page, as the caller goes on. Where the API server no longer knows the version of the first page (after
 * about 5 minutes), the list starts again and leaves out what it gave already, so that no object comes twice; one that was
 * made meanwhile may come, one that was deleted meanwhile may have come.
 */
export async function* list(sender: Sender, resource: Resource, options: ListOptions): AsyncGenerator<KubeObject> {
  const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
  if (options.labelSelector !== undefined) query.set("labelSelector", options.labelSelector);
  if (options.fieldSelector !== undefined) query.set("fieldSelector", options.fieldSelector);
  const path = collectionPath(resource, options.namespace);
  const given = new Set<string>();
  do {
    let page: Page;
    try {
      page = await readPage(sender, `${path}?${query}`);
    } catch (error) {
      if (!(error instanceof GoneError) || !query.has("continue")) throw error;
      query.delete("continue");
      page = await readPage(sender, `${path}?${query}`);
    }
    for (const item of page.items ?? []) {
      if (given.has(item.metadata.uid)) continue;
      given.add(item.metadata.uid);
      // The items of built-in kinds come without these two.
      item.apiVersion = resource.apiVersion;
      item.kind = resource.kind;
      yield item;
    }
    query.set("continue", page.metadata?.continue ?? "");
  } while (query.get("continue") !== "");
}

async function readPage(sender: Sender, path: string): Promise<Page> {
  const page = (await sender.read(path)) as Page;
  if (!page.kind?.endsWith("List")) throw new TypeError(`${path.split("?", 1)[0]}: the answer is no list`);
  return page;
}
