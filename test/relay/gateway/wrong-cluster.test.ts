import { expect, it } from "vitest";
import { configMap, gatewayUnderTest, mapsIn } from "./gateway-under-test.ts";

it("serves nothing while it is not sure that this is the right cluster", async () => {
  let right = false;
  const { send, upstream } = gatewayUnderTest({ isRight: () => right });
  const maps = mapsIn("default");
  const create = () => send("POST", `${maps}?fieldManager=documents`, { body: configMap("a") });
  const refused = await create();
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining("right cluster") } });
  expect(upstream).toEqual([]);
  right = true;
  expect((await create()).status).toBe(201);
});
