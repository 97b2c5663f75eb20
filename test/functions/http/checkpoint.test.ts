import { describe, expect, it } from "vitest";
import { API_VERSION, MAX_PART_BYTES, partName } from "../../../functions/contract/index.ts";
import { KEEP_PART_MS } from "../../../functions/http/checkpoint.ts";
import type { IngressOptions } from "../../../functions/http/ingress-env.ts";
import type { KeyValue } from "../../../functions/ports/index.ts";
import { AWAY, ingressUnderTest } from "./ingress-under-test.ts";

const nameOf = (text: string) => partName(new TextEncoder().encode(text));
const indexOf = (over: object = {}) =>
  JSON.stringify({
    ...{ apiVersion: API_VERSION, cluster: "home", replaces: null, holder: "h", term: 1 },
    ...{ parts: [], retired: [], state: {}, ...over },
  });

/** The store of one cluster's parts, as its relay sees it. */
function under(overrides: { kv?: KeyValue | undefined } = {}) {
  const bench = ingressUnderTest(overrides as Partial<IngressOptions>);
  return {
    ...bench,
    async put(body: string, name?: string) {
      return bench.send("PUT", `/checkpoint/home/${name ?? (await nameOf(body))}`, { body });
    },
    putIndex: (body: string) => bench.send("PUT", "/checkpoint/home/index", { body }),
    get: (name: string) => bench.send("GET", `/checkpoint/home/${name}`),
  };
}

describe("R7 a part", () => {
  it("comes back as it was put, byte for byte, also the largest one", async () => {
    const { get, put } = under();
    const text = JSON.stringify(["ü𝒳".repeat(8_000), "a"]).padEnd(MAX_PART_BYTES - 8_000 * 3);
    const answer = await put(text);
    const { part, apiVersion } = (await answer.json()) as { part: string; apiVersion: string };
    expect([answer.status, apiVersion, part]).toEqual([200, API_VERSION, await nameOf(text)]);
    expect(new TextEncoder().encode(text)).toHaveLength(MAX_PART_BYTES);
    const found = await get(part);
    expect(found.headers.get("content-type")).toContain("application/json");
    expect(await found.text()).toBe(text);
  });

  it("is its own cluster's only, and another cluster may have the same (X2)", async () => {
    const { get, put, send } = under();
    const name = await nameOf("{}");
    await put("{}");
    expect((await send("GET", `/checkpoint/away/${name}`, { secrets: [AWAY] })).status).toBe(404);
    expect((await get(name)).status).toBe(200);
  });

  it("ends after 30 days, unless it is put again", async () => {
    const { clock, get, put } = under();
    await put("{}");
    await put("[]");
    await clock.advance(KEEP_PART_MS / 2);
    await put("{}");
    await clock.advance(KEEP_PART_MS / 2);
    expect((await get(await nameOf("{}"))).status).toBe(200);
    expect((await get(await nameOf("[]"))).status).toBe(404);
  });

  it("that is not stored, and a store that there is not, can be told apart", async () => {
    const code = async (answer: Response) => ((await answer.json()) as { error: { code: string } }).error.code;
    expect(await code(await under().get("index"))).toBe("not-stored");
    expect(await code(await under({ kv: undefined }).get("index"))).toBe("not-found");
  });
});

describe("R7 an index", () => {
  it("follows the one that its writer knows", async () => {
    const { get, putIndex } = under();
    const first = indexOf();
    const second = indexOf({ replaces: await nameOf(first), term: 2 });
    expect((await putIndex(first)).status).toBe(200);
    expect((await putIndex(second)).status).toBe(200);
    expect(await (await get("index")).text()).toBe(second);
  });

  it("of a relay that was held up does not undo what another one wrote since", async () => {
    const { get, putIndex } = under();
    const first = indexOf();
    const second = indexOf({ replaces: await nameOf(first), holder: "new" });
    await putIndex(first);
    await putIndex(second);
    const late = await putIndex(indexOf({ replaces: await nameOf(first), holder: "old" }));
    expect([late.status, await late.json()]).toMatchObject([412, { error: { code: "superseded", field: "replaces" } }]);
    expect((await putIndex(first)).status).toBe(412);
    expect(await (await get("index")).text()).toBe(second);
  });

  it("that follows one which is no longer there is refused", async () => {
    const { putIndex } = under();
    expect((await putIndex(indexOf({ replaces: await nameOf("{}") }))).status).toBe(412);
  });

  it("whose answer was lost may be put again", async () => {
    const { putIndex } = under();
    const first = indexOf();
    const second = indexOf({ replaces: await nameOf(first) });
    await putIndex(first);
    expect((await putIndex(second)).status).toBe(200);
    expect((await putIndex(second)).status).toBe(200);
  });

  it("deletes the parts that its predecessor was the last to name as no longer needed", async () => {
    const { get, put, putIndex } = under();
    const parts = ["[1]", "[2]", "[3]", "[4]"];
    const [a, b, c, d] = await Promise.all(parts.map(nameOf));
    for (const text of parts) await put(text);
    const first = indexOf({ parts: [a, b, c] });
    const second = indexOf({ replaces: await nameOf(first), parts: [b, d], retired: [a, c] });
    const third = indexOf({ replaces: await nameOf(second), parts: [c, d], retired: [b] });
    const there = async () => {
      const found = await Promise.all(
        [a, b, c, d].map(async (name) => ((await get(name!)).status === 200 ? name : "")),
      );
      return found.filter((name) => name !== "");
    };
    await putIndex(first);
    await putIndex(second);
    expect(await there(), "one that reads the first index still finds its parts").toEqual([a, b, c, d]);
    await putIndex(third);
    expect(await there(), "and what is needed again stays").toEqual([b, c, d]);
  });
});

describe("R7 a store that fails", () => {
  const broken: KeyValue = {
    flags: { durable: true, stalenessMs: 0 },
    get: () => Promise.reject(new Error("no")),
    set: () => Promise.reject(new Error("no")),
    delete: () => Promise.reject(new Error("no")),
  };

  it("is answered with 503, to be asked again after 5 s", async () => {
    const { get, logger, put, putIndex } = under({ kv: broken });
    for (const answer of [await get("index"), await put("{}"), await putIndex(indexOf())]) {
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(await answer.json()).toMatchObject({ error: { code: "unavailable" } });
    }
    expect(logger.lines).toContainEqual(expect.objectContaining({ level: "error", message: "the KV store failed" }));
  });

  it("only while it deletes keeps nobody from a new index", async () => {
    const { kv, putIndex } = under();
    const part = await nameOf("{}");
    const first = indexOf({ retired: [part] });
    await putIndex(first);
    kv.delete = broken.delete;
    expect((await putIndex(indexOf({ replaces: await nameOf(first) }))).status).toBe(200);
  });
});
