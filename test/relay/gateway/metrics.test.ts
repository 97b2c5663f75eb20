import { describe, expect, it } from "vitest";
import { exposition } from "../../../infra/relay/metrics/exposition.ts";
import { createMetrics } from "../../../infra/relay/metrics/metrics.ts";
import { readExposition } from "../support/exposition.ts";
import { gatewayUnderTest, mapsIn, STRANGER } from "./gateway-under-test.ts";

const maps = mapsIn("default");

function measured(...of: Parameters<typeof gatewayUnderTest>) {
  const metrics = createMetrics();
  const under = gatewayUnderTest({ ...of[0], metrics }, of[1]);
  const read = (name: string) =>
    readExposition(exposition(metrics.families()))
      .filter((sample) => sample.name === `sluice_relay_gateway_${name}`)
      .map(({ labels, value }) => [...Object.values(labels), value].join(" ").trim());
  return { ...under, read };
}

describe("the gateway's metrics", () => {
  it("count requests by controller, verb and status, those of strangers by status alone", async () => {
    const { send, gateway, read } = measured();
    await send("GET", `${maps}/a`);
    await send("GET", maps);
    await send("GET", maps);
    await send("GET", "/api/v1/nodes");
    await send("GET", maps, { secrets: [STRANGER] });
    await gateway.fetch(new Request("https://gateway.test/nobody"));
    expect(read("requests_total")).toEqual([
      "documents get 404 1",
      "documents list 200 2",
      "documents list 403 1",
      "401 2",
    ]);
  });

  it("tell how long a known caller waited for the beginning of its answer", async () => {
    const { clock, server, read, requestOf, gateway } = measured({
      transport: {
        async fetch(path, init) {
          await clock.advance(300);
          return server.transport.fetch(path, init);
        },
      },
    });
    await gateway.fetch(await requestOf("GET", maps));
    await gateway.fetch(new Request("https://gateway.test/nobody"));
    expect(read("request_duration_seconds_sum")).toEqual(["documents list 0.3"]);
  });

  it("X2 have no name that only a caller thought of", async () => {
    const { send, read } = measured();
    for (const controller of ["made-up", "another"]) await send("GET", maps, { controller });
    expect(read("requests_total")).toEqual(["list 403 2"]);
  });
});
