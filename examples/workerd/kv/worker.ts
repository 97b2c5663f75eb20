/**
 * Workers KV as workerd asks a service for it: the runtime has no KV of its own. One Durable Object keeps the values.
 * @module
 */
import type { Bindings } from "sluice/cloudflare";

type Sql = { exec(query: string, ...bindings: unknown[]): { toArray(): Record<string, unknown>[] } };
type Stored = { value: string; metadata: string; expires_at: number };

export class Values {
  readonly #sql: Sql;

  constructor(ctx: { storage: { sql: Sql } }) {
    this.#sql = ctx.storage.sql;
    this.#sql.exec(
      "CREATE TABLE IF NOT EXISTS entry (key TEXT PRIMARY KEY, value TEXT NOT NULL, metadata TEXT NOT NULL, expires_at INTEGER NOT NULL)",
    );
  }

  async fetch(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const key = decodeURIComponent(pathname.slice(1));
    if (request.method === "DELETE") this.#sql.exec("DELETE FROM entry WHERE key = ?", key);
    else if (request.method === "PUT") {
      const expiresAt = Date.now() + Number(searchParams.get("expiration_ttl")) * 1000;
      const metadata = request.headers.get("cf-kv-metadata") ?? "";
      const values = [key, await request.text(), metadata, expiresAt];
      this.#sql.exec("INSERT OR REPLACE INTO entry VALUES (?, ?, ?, ?)", ...values);
    } else {
      const [found] = this.#sql.exec("SELECT * FROM entry WHERE key = ?", key).toArray() as Stored[];
      if (!found || found.expires_at <= Date.now()) return new Response(null, { status: 404 });
      return new Response(found.value, { headers: { "cf-kv-metadata": found.metadata } });
    }
    return new Response(null);
  }
}

export default {
  fetch: (request: Request, { VALUES }: { VALUES: Bindings["SLUICE_SCHEDULER"] }): Promise<Response> =>
    VALUES.getByName("0").fetch(request.url, request),
};
