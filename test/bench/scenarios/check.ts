import { eventually } from "../../cluster/support/eventually.ts";
import { mergePatch } from "../harness/client.ts";
import { configMapsPath, documentsPath } from "../harness/documents.ts";
import type { Session } from "../harness/session.ts";
import { round } from "../harness/statistics.ts";

export type Check = {
  ok: boolean;
  seconds: number;
  missing?: string;
  /** Milliseconds until it was seen; null where it was not within 30 s. */
  passed: Record<string, number | null>;
};

const limitMs = 30_000;

/** Does it do the rest of the job? No figure of speed. */
export async function check(session: Session): Promise<Check> {
  await session.steady();
  const { world, client } = session.plane;
  const [first = "", second = "", third = ""] = session.names;
  const startedAt = performance.now();
  const passed: Record<string, number | null> = {};
  const test = async (what: string, act: () => Promise<unknown>, seen: () => boolean) => {
    const from = performance.now();
    passed[what] = await act()
      .then(() => eventually(what, limitMs, seen))
      .then(
        () => round(performance.now() - from, 0),
        () => null,
      );
  };

  /** It counts as mended only after it was seen broken. */
  const mended = (name: string) => {
    const { configMapFaults } = world.expected(name);
    return () => world.expected(name).configMapFaults > configMapFaults && world.expected(name).configMap === "equal";
  };
  await test("deleted ConfigMap comes back", () => client.text("DELETE", `${configMapsPath}/${first}`), mended(first));
  const wrong = { data: { content: "wrong" } };
  await test(
    "changed ConfigMap is put right",
    () => client.text("PATCH", `${configMapsPath}/${second}?fieldManager=bench`, wrong, mergePatch),
    mended(second),
  );
  await test(
    "deleted Document goes",
    () => client.text("DELETE", `${documentsPath}/${third}`),
    () => !world.expected(third).exists,
  );
  await test(
    "its ConfigMap is collected",
    async () => {},
    () => world.expected(third).configMap === "missing",
  );
  world.forget(third);
  await test(
    "created Document converges",
    () => world.create([third]),
    () => world.expected(third).convergedAt !== undefined,
  );

  const failed = Object.keys(passed).filter((what) => passed[what] === null);
  return {
    ok: failed.length === 0,
    seconds: round((performance.now() - startedAt) / 1000),
    ...(failed.length > 0 ? { missing: failed.join(", ") } : {}),
    passed,
  };
}
