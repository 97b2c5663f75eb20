import { afterEach, expect, test } from "vitest";
import { createVirtualClock } from "../../adapters/testing/virtual-clock.ts";
import type { Clock, KeyValue } from "../../functions/ports/index.ts";

/** How a key-value adapter is opened, and opened again by another process. */
export type KeyValueAdapter = {
  open: (clock: Clock) => KeyValue | Promise<KeyValue>;
  reopen: (clock: Clock) => KeyValue | Promise<KeyValue>;
  cleanUp: () => void | Promise<void>;
};

/** What every key-value adapter keeps (S15 stands on it). */
export function testKeyValue(create: () => KeyValueAdapter, flags: KeyValue["flags"]): void {
  let adapter: KeyValueAdapter | undefined;
  const start = async () => {
    adapter = create();
    const clock = createVirtualClock(Date.UTC(2026, 0, 1));
    return { kv: await adapter.open(clock), clock };
  };
  afterEach(() => adapter?.cleanUp());

  test("its flags are true", async () => expect((await start()).kv.flags).toEqual(flags));

  test("a value is read back, replaced and deleted", async () => {
    const { kv } = await start();
    expect(await kv.get("home/documents/default/a")).toBeUndefined();
    await kv.set("home/documents/default/a", "one", { expireInMs: 60_000 });
    await kv.set("home/documents/default/b", "other", { expireInMs: 60_000 });
    expect(await kv.get("home/documents/default/a")).toBe("one");
    await kv.set("home/documents/default/a", "two ✓", { expireInMs: 60_000 });
    expect(await kv.get("home/documents/default/a")).toBe("two ✓");
    await kv.delete("home/documents/default/a");
    expect(await kv.get("home/documents/default/a")).toBeUndefined();
    expect(await kv.get("home/documents/default/b")).toBe("other");
  });

  test("a value is gone once its time is over, and a new write gives it a new time", async () => {
    const { kv, clock } = await start();
    await kv.set("a", "one", { expireInMs: 60_000 });
    await clock.advance(59_999);
    expect(await kv.get("a")).toBe("one");
    await clock.advance(1);
    expect(await kv.get("a")).toBeUndefined();
    await kv.set("a", "two", { expireInMs: 1_000 });
    await kv.set("a", "three", { expireInMs: 90_000 });
    await clock.advance(60_000);
    expect(await kv.get("a")).toBe("three");
  });

  test("deleting what is not there is no error", async () => {
    await expect((await start()).kv.delete("nothing")).resolves.toBeUndefined();
  });

  if (flags.durable)
    test("a value survives its process, and an expired one does not come back", async () => {
      const { kv, clock } = await start();
      await kv.set("a", "one", { expireInMs: 60_000 });
      await kv.set("b", "two", { expireInMs: 1_000 });
      await clock.advance(1_000);
      const again = await adapter!.reopen(clock);
      expect([await again.get("a"), await again.get("b")]).toEqual(["one", undefined]);
    });
}
