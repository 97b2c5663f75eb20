import { expect, it } from "vitest";
import { exposition } from "../../../infra/relay/metrics/exposition.ts";
import { restarts, unavailable } from "../checkpoint/restarts.ts";
import { readExposition } from "../support/exposition.ts";

it("checkpoints are counted by whether they could be saved", async () => {
  const { create, metrics, start, world } = await restarts();
  const saves = () =>
    readExposition(exposition(metrics.families()))
      .filter(({ name }) => name === "sluice_relay_checkpoint_saves_total")
      .map(({ labels, value }) => `${labels.result} ${value}`);
  await create("a");
  const relay = await start();
  expect(saves()).toEqual([]);
  await relay.stop();
  expect(saves()).toEqual(["saved 1"]);
  const next = await start();
  await create("b");
  world.instead = (method, path) => (method === "PUT" && path.startsWith("/checkpoint") ? unavailable() : undefined);
  await next.stop();
  expect(saves()).toEqual(["saved 1", expect.stringMatching(/^failed \d+$/)]);
});
