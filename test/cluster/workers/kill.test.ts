import { afterAll, beforeAll, describe } from "vitest";
import { FiveWidgets, survivesKills } from "../loop/kill.case.ts";
import { sharedCluster } from "../support/cluster.ts";
import { openStepsServer, type StepsServer } from "./steps-server.ts";
import { WorkerParts } from "./worker-parts.ts";

const cluster = sharedCluster();
let steps: StepsServer;
beforeAll(async () => {
  steps = await openStepsServer();
});
afterAll(() => steps.close());

const widgets = new FiveWidgets(cluster.api);
describe("the Worker through the gateway", () => survivesKills(widgets, () => WorkerParts.prepare(cluster, steps)));
